#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "solver/barrier_phases.hpp"
#include "solver/barrier_schedules.hpp"
#include "solver/partial_execution.hpp"

namespace ptxmc {

/// The barriers without a thread count, as an execution is put together whose threads may wait for ever: a
/// phase is complete when all that are waited for have arrived or exited. The rules of barrier_phases.hpp,
/// without unknowns: PTX ISA 8.7 § 9.7.13.1. What fills phases with a count, counted_phases.hpp says in
/// litmus tests, and in launches a schedule.
class ExploredBarriers {
 public:
  /// Of a litmus test. The structure outlives it.
  explicit ExploredBarriers(const EventStructure&);
  /// Of a launch. With a schedule, its events are those under that schedule. Throws Unsupported for barriers
  /// with a thread count without one.
  ExploredBarriers(const EventStructure&, std::optional<BarrierSchedule>);

  /// Lets those go on whose phases are complete as far as it is known what happens; whether there were any.
  bool settle(PartialExecution&) const;
  /// Nothing else can happen any more: who waits now, waits for ever. Whether there was anyone.
  bool give_up(PartialExecution&) const;

  /// How often the thread of a barrier event has arrived (waited, if that is what it does) at this barrier
  /// before; none while that is open.
  std::optional<std::size_t> number_of(const PartialExecution&, EventId) const;

  /// Threads of some warp are at different aligned barriers.
  bool some_warp_diverges(const PartialExecution&) const;

 private:
  /// Events of one barrier: group, its number among its like, id, number in the text, whether it counts.
  using Place = std::tuple<Barrier::Group, int, u128, int, bool>;

  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  int group_of(Barrier::Group, int thread) const;
  Place place_of(const PartialExecution&, EventId) const;
  bool arrives_mixed(const PartialExecution&, EventId) const;
  bool is_pending(const PartialExecution&, EventId) const;
  bool is_awaited(const PartialExecution&, EventId, int thread) const;
  bool is_elsewhere(const PartialExecution&, EventId, int thread) const;
  bool is_complete(const PartialExecution&, EventId) const;
  bool are_of_one_phase(const PartialExecution&, EventId, EventId) const;
  bool has_come(const PartialExecution&, int thread, const Place&, std::size_t number) const;
  std::optional<bool> diverges(const PartialExecution&, EventId) const;
  std::pair<std::vector<EventId>, bool> aligned_barriers(const PartialExecution&, int thread) const;
  void join(PartialExecution&, EventId) const;

  const EventStructure& structure_;
  const std::optional<BarrierSchedule> schedule_;
  const Arrivals arrivals_;
  std::vector<EventId> barriers_;
  bool mixes_alignment_ = false;  ///< some barriers of CTAs are aligned, and some are not
  std::vector<std::vector<EventId>> of_thread_;
  /// In a litmus test, by barrier event: by thread that it waits for, what may be its arrivals there.
  std::map<EventId, std::map<int, std::vector<EventId>>> awaited_;
  std::vector<unsigned> lanes_;  // by thread, in a launch
};

}  // namespace ptxmc
