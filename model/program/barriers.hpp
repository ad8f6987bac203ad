#pragma once

#include <tuple>
#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

/// Whether the event waits for the end of its phase; `arrive` does not.
bool waits_at_barrier(const Event&);
/// Whether the event counts as an arrival; `barrier.cluster.wait` does not, since it waits for the phase of
/// an earlier arrival.
bool arrives_at_barrier(const Event&);
/// Whether the event is a `barrier` or `barrier.cluster` with `.aligned`.
bool is_aligned_barrier(const Event&);

/// The number of the warp, CTA or cluster of a thread. The group of a thread with the threads of its
/// prerequisite grid has the number of the thread.
int group_of(const Program&, Barrier::Group, int thread);
/// Whether a thread is in the group with this number.
bool is_in_group(const Program&, Barrier::Group, int number, int thread);
/// Whether a barrier of the program waits for all threads of its group that have not exited. In a litmus test
/// the other barriers only wait for threads with a possible arrival.
bool awaits_whole_group(const Program&, const Event&);

/// The identity of a barrier: group, number of the group, id, number in the text, gathering. The id must be
/// known.
using BarrierName = std::tuple<Barrier::Group, int, u128, int, Barrier::Gathering>;
BarrierName name_of(const Program&, const Event&);

/// The units of threads that may arrive together at the barrier of an event, by warps: the threads of its
/// group in each warp, or for bar.warp.sync the lanes of the mask.
std::vector<std::vector<int>> units_of(const Program&, const Event&);

/// The threads of each warp, by the number of the warp.
std::vector<std::vector<int>> threads_of_warps(const Program&);

}  // namespace ptxmc
