#pragma once

#include "tests/kernel_campaign/random_kernel.hpp"

namespace ptxmc {

/// A small kernel made of a seed in which one thread, or two with a barrier between them, copies bytes
/// between shared, local and global memory and registers: of shared and local memory only some have been
/// written. At times a value is used: masked, shifted, converted, in a sum, as a condition. Each value that
/// is computed is shown, since `run` and `check` differ in what is never used. Equal seeds make equal
/// kernels.
RandomKernel random_copying_kernel(std::uint64_t seed, const std::string& module_name);

}  // namespace ptxmc
