#pragma once

#include <vector>

#include "model/event.hpp"

namespace ptxmc {

/// The event waits for its phase to end; `arrive` does not.
bool waits_at_barrier(const Event&);
/// The event counts for its phase; `barrier.cluster.wait` waits for an arrival made before.
bool arrives_at_barrier(const Event&);
/// `barrier` or `barrier.cluster` with `.aligned`.
bool is_aligned_barrier(const Event&);

/// The number of the warp, CTA or cluster of a thread.
int group_of(const Program&, Barrier::Group, int thread);

/// The threads of each warp, by the number of the warp.
std::vector<std::vector<int>> threads_of_warps(const Program&);

}  // namespace ptxmc
