#pragma once

#include <map>
#include <optional>
#include <vector>

#include "solver/barrier_schedules.hpp"
#include "solver/partial_execution.hpp"
#include "solver/uncounted_barriers.hpp"

namespace ptxmc {

/// The barriers without a thread count, as an execution is put together whose threads may wait for ever: what
/// uncounted_barriers.hpp says of them is evaluated on what is known of the execution. What fills phases with
/// a count, counted_phases.hpp says in litmus tests, and in launches a schedule.
class ExploredBarriers {
 public:
  /// The structure outlives it. With a schedule, its events are those under that schedule. Throws Unsupported
  /// for barriers with a thread count in a launch without one.
  explicit ExploredBarriers(const EventStructure&, std::optional<BarrierSchedule> = {});

  /// The terms whose values an execution has to know.
  std::vector<Bits> terms() const;

  /// Lets those go on whose phases are complete as far as it is known what happens; whether there were any.
  bool settle(PartialExecution&) const;
  /// Nothing else can happen any more: a thread that waits now, waits for ever. Whether there was one.
  bool give_up(PartialExecution&) const;

  /// The number of the phase of a barrier event at its barrier; none while that is open.
  std::optional<std::size_t> number_of(const PartialExecution&, EventId) const;

  /// Threads of some warp are at different aligned barriers.
  bool some_warp_diverges(const PartialExecution&) const;

 private:
  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  bool is_pending(const PartialExecution&, EventId) const;
  bool are_of_one_phase(const PartialExecution&, EventId, EventId) const;
  void join(PartialExecution&, EventId) const;

  const EventStructure& structure_;
  const std::optional<BarrierSchedule> schedule_;
  std::map<EventId, UncountedArrival> arrivals_;  // with a schedule: all barriers, of which nothing is asked
  std::map<EventId, std::size_t> meeting_of_;
};

}  // namespace ptxmc
