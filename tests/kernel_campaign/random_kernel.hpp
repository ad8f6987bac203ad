#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ptxmc {

/// A module with one kernel `k`, and the launch file that launches it from `module_name`.
struct RandomKernel {
  std::string module;
  std::string launch;
  /// Whether the launch is safe, as far as the way in which it was made tells.
  std::optional<bool> is_safe = {};
};

/// A small kernel made of a seed: one or two CTAs (at times in a cluster) of a few threads, at times with a
/// second warp; arithmetic, branches and loops, accesses to shared and global memory, atomic operations,
/// barriers of the CTA with and without a thread count, of the warp and of the cluster, exchanges between
/// lanes, traps, early exits and spin loops. It may be wrong in every way in which threads can meet wrongly.
/// Equal seeds make equal kernels.
RandomKernel random_kernel(std::uint64_t seed, const std::string& module_name);

}  // namespace ptxmc
