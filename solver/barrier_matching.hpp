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

/// Which arrivals of a meeting form a phase.
struct BarrierMatching {
  /// By event of the meeting: equal for those that met; -1 where no phase was filled.
  std::vector<int> phase;
  /// The orders in which phases can have followed each other: by event, as `phase`, but numbered so that a
  /// phase of one barrier comes before those of greater numbers.
  std::vector<std::vector<int>> orders;
};

/// All ways to match the events of a meeting that happen; their ids and counts are known. The same rules as
/// in barrier_phases.hpp, without unknowns.
std::vector<BarrierMatching> match_barriers(std::span<const Event>, std::span<const EventId> meeting);

/// What a reduction gives its waiting thread: over the predicates, all known, of those that met.
Bits reduction_result(std::span<const Event>, EventId, std::span<const EventId> met);

}  // namespace ptxmc
