#pragma once

#include <map>
#include <span>
#include <vector>

#include "model/program/barriers.hpp"

namespace ptxmc {

/// Whether some thread may arrive at a barrier.
bool has_barriers(const EventStructure&);
/// Whether some thread may arrive at a barrier with a thread count.
bool has_counted_barriers(const EventStructure&);

/// The meetings: sets of barrier events that belong to one barrier if their ids are equal, since they have
/// the same group of threads and the same number in the text.
std::vector<std::vector<EventId>> barrier_meetings(const EventStructure&);

/// Whether two events are at one barrier: they have the same group and equal, known ids; with or without a
/// thread count.
bool are_at_one_barrier(const Event&, const Event&);

/// Whether an event without a count may wait for another event of its meeting, which may arrive at the same
/// barrier.
bool may_wait_for(const Event& waiting, const Event& arrival);

/// For an event without a count in a litmus test: for each awaited thread its possible arrivals.
std::map<int, std::vector<EventId>> awaited_arrivals(const EventStructure&, std::span<const EventId> meeting,
                                                     EventId);

/// The result of a reduction over the known predicates of the events of its phase.
Bits reduction_result(std::span<const Event>, EventId, std::span<const EventId> met);

}  // namespace ptxmc
