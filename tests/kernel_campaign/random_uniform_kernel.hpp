#pragma once

#include "tests/kernel_campaign/random_kernel.hpp"

namespace ptxmc {

/// A small kernel made of a seed, as most kernels of data-parallel programs are: threads access shared and
/// global memory at addresses that are computed from their position, from an input and from what they read;
/// with barriers of the CTA and of the warp, loops, atomic operations, counters, exchanges and early exits.
/// About half of the kernels have races or other mistakes.
RandomKernel random_uniform_kernel(std::uint64_t seed, const std::string& module_name);

}  // namespace ptxmc
