#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "solver/explorer/partial_execution.hpp"
#include "solver/meetings/barrier_schedules.hpp"
#include "solver/meetings/uncounted_barriers.hpp"

namespace ptxmc {

/// The barriers without a thread count in a partial execution whose threads may wait for ever: the conditions
/// of uncounted_barriers.hpp are evaluated on the known values, or a schedule gives the phases. Without one,
/// phases with a count are chosen by counted_phases.hpp in litmus tests.
class ExploredBarriers {
 public:
  /// The structure must outlive it. With a schedule, its events must be those under the schedule. Throws
  /// Unsupported for barriers with a thread count in a launch without one.
  explicit ExploredBarriers(const EventStructure&, std::optional<BarrierSchedule> = {});

  /// The terms whose values an execution must provide.
  std::vector<Bits> terms() const;

  /// Lets threads continue whose phases are complete according to the known values. Returns whether there
  /// were any.
  bool settle(PartialExecution&) const;
  /// Called when no other step is possible: lets all waiting threads wait for ever. Returns whether there
  /// were any.
  bool give_up(PartialExecution&) const;

  /// The number of the phase of a barrier event at its barrier; empty while it is open.
  std::optional<std::size_t> number_of(const PartialExecution&, EventId) const;

  /// The misused phases of the schedule: by event, last_misused_phase or less if it happens and is in one,
  /// else -1. Empty if there are none.
  std::vector<int> misused_phases(const PartialExecution&) const;

  /// Whether threads of some warp are at different aligned barriers.
  bool some_warp_diverges(const PartialExecution&) const;

 private:
  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  bool is_pending(const PartialExecution&, EventId) const;
  bool goes_on(const PartialExecution&, EventId) const;
  bool is_known_who_reduces(const PartialExecution&, EventId) const;
  bool are_of_one_phase(const PartialExecution&, EventId, EventId) const;
  void join(PartialExecution&, EventId) const;

  const EventStructure& structure_;
  const std::optional<BarrierSchedule> schedule_;
  // With a schedule: all barriers, whose conditions are not evaluated.
  std::map<EventId, UncountedArrival> arrivals_;
  std::map<EventId, std::size_t> meeting_of_;
  // Of the meetings with a reduction: the events among `arrivals_`.
  std::map<std::size_t, std::vector<EventId>> with_reduction_;
  std::vector<Bits> elsewhere_;  // Divergence::elsewhere
};

}  // namespace ptxmc
