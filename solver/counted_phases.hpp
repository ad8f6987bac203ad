#pragma once

#include <map>
#include <optional>
#include <vector>

#include "solver/arrival_order.hpp"
#include "solver/explored_barriers.hpp"
#include "solver/partial_execution.hpp"

namespace ptxmc {

/// Which arrivals at barriers with a thread count fill phases, in a litmus test, as an execution is put
/// together whose threads may wait for ever. When nothing else can be done, some of those that have arrived
/// fill a phase, so that others arrive. The rules of barrier_phases.hpp, without unknowns.
class CountedPhases {
 public:
  /// The way to fill the phase of one arrival: with some of those that have arrived by now; or, when more
  /// have, not with these alone.
  struct Choice {
    EventId arrival = 0;
    std::vector<std::vector<EventId>> phases;
    std::vector<EventId> arrived;  ///< at the same barrier, and in no phase
  };
  /// By arrival, those with which alone it does not fill a phase.
  using Postponed = std::map<EventId, std::vector<EventId>>;

  /// The structure and the barriers outlive it.
  CountedPhases(const EventStructure&, const ExploredBarriers&);

  /// Those choices between them have each way to fill phases once. None: no phase is filled any more.
  std::optional<Choice> next(const PartialExecution&, const Postponed&) const;
  /// Puts these into a phase.
  static void fill(PartialExecution&, const std::vector<EventId>& phase);
  /// Nothing else can happen any more: who waits now, waits for ever. None: they could fill a phase.
  /// Otherwise, whether there was anyone.
  std::optional<bool> give_up(PartialExecution&) const;

  /// There is an order in which all of a complete execution has come about: arrival_order.hpp.
  bool come_about(const PartialExecution&) const;

 private:
  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  bool has_arrived(const PartialExecution&, EventId) const;
  std::vector<EventId> arrived_with(const PartialExecution&, EventId) const;
  bool can_be_in(const PartialExecution&, EventId, const std::vector<EventId>& phase) const;
  void choose(const PartialExecution&, const Postponed&, Choice&, std::size_t next,
              std::vector<EventId>& phase) const;
  std::vector<std::vector<int>> filled(const PartialExecution&) const;
  int number_of(const PartialExecution&, EventId, const std::vector<int>& rank) const;
  bool come_about(const PartialExecution&, const std::vector<int>& rank) const;

  const EventStructure& structure_;
  const ExploredBarriers& barriers_;
  const std::vector<std::vector<EventId>> meetings_;  // of all barriers
  const std::optional<ReadsBehind> reads_behind_;     // where somebody waits because of what is read
  std::vector<EventId> counted_;
};

}  // namespace ptxmc
