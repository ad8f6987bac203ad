#pragma once

#include <map>
#include <span>
#include <vector>

#include "model/barriers.hpp"

namespace ptxmc {

/// Somebody may come to a barrier.
bool has_barriers(const EventStructure&);

/// The barrier events that could meet if their ids were equal: of one group of threads and one textual
/// barrier.
std::vector<std::vector<EventId>> barrier_meetings(const EventStructure&);

/// `barrier a{, b}` with equal ids, known, of one group of threads; counted or not.
bool are_at_one_barrier(const Event&, const Event&);

/// Without a count, of two events of a meeting: the second arrives at what may be the barrier of the first.
bool may_wait_for(const Event& waiting, const Event& arrival);

/// Without a count, in a litmus test: by thread that an event of the meeting waits for, what may be its
/// arrivals there.
std::map<int, std::vector<EventId>> awaited_arrivals(const EventStructure&, std::span<const EventId> meeting,
                                                     EventId);

/// What a reduction gives its waiting thread: over the predicates, all known, of those that met.
Bits reduction_result(std::span<const Event>, EventId, std::span<const EventId> met);

}  // namespace ptxmc
