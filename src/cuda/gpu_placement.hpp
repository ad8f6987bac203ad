#pragma once

#include <cstdint>
#include <vector>

#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// The place of a thread on a GPU.
struct GpuThread {
  int cluster = 0;  ///< among those of the test
  int rank = 0;     ///< of its CTA in the cluster
  int warp = 0;     ///< of the CTA
  int lane = 0;
};

/// The places of a litmus test's threads and variables on one GPU. One execution of the test has memory of
/// its own: a piece of global memory, and the shared memory of each of its CTAs.
struct GpuPlacement {
  std::vector<GpuThread> threads;
  std::vector<std::vector<int>> ctas;  ///< by cluster and rank: the number of the CTA, see Placement::cta
  int cluster_size = 1;                ///< CTAs of each cluster that is launched
  int warps = 1;                       ///< of each CTA that is launched
  /// By variable: where it begins in the global memory of the execution, or in the shared memory of its CTA.
  std::vector<std::uint64_t> offsets;
  std::uint64_t global_bytes = 0, shared_bytes = 0;
};

/// Places a test: each thread has a warp of its own, unless the test says which threads share one. Throws
/// Unsupported for threads on several GPUs or grids, and for virtual aliases.
GpuPlacement place_on_gpu(const LitmusTest&);

}  // namespace ptxmc
