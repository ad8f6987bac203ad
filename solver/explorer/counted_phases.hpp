#pragma once

#include <optional>
#include <set>
#include <vector>

#include "solver/explorer/explored_barriers.hpp"
#include "solver/explorer/partial_execution.hpp"
#include "solver/meetings/arrival_order.hpp"

namespace ptxmc {

/// Chooses the phases of barriers with a thread count, for a partial execution of a litmus test whose threads
/// may wait for ever. When no other step is possible, some of the waiting arrivals form a phase, so that
/// their threads continue. The rules are those of counted_barriers.hpp, without unknowns.
class CountedPhases {
 public:
  using Arrivals = std::vector<EventId>;  ///< ascending

  /// The phases that the execution does not have.
  using Refused = std::set<Arrivals>;

  /// The structure and the barriers must outlive it.
  CountedPhases(const EventStructure&, const ExploredBarriers&);

  /// The next choice, of the phase of one arrival: the arrivals so far form one of these phases, or none of
  /// them is a phase of the execution. Further phases may become possible after more arrivals or other
  /// phases. The choices together contain each way to form phases once. Empty if no further phase can be
  /// formed.
  std::vector<Arrivals> next(const PartialExecution&, const Refused&) const;
  /// Forms a phase of these arrivals.
  static void fill(PartialExecution&, const Arrivals& phase);
  /// Called when no other step is possible: lets all waiting threads wait for ever. Empty if they could form
  /// a phase; otherwise whether there were any.
  std::optional<bool> give_up(PartialExecution&) const;

  /// Whether the arrival order of a complete execution is acyclic for some order of phases:
  /// arrival_order.hpp.
  bool come_about(const PartialExecution&) const;

 private:
  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  bool has_arrived(const PartialExecution&, EventId) const;
  Arrivals arrived_with(const PartialExecution&, EventId) const;
  bool can_be_in(const PartialExecution&, EventId, const Arrivals& phase) const;
  void choose(const PartialExecution&, const Refused&, const Arrivals& arrived, std::size_t next,
              Arrivals& phase, std::vector<Arrivals>& phases) const;
  std::vector<std::vector<int>> filled(const PartialExecution&) const;
  int number_of(const PartialExecution&, EventId, const std::vector<int>& rank) const;
  bool come_about(const PartialExecution&, const std::vector<int>& rank) const;

  const EventStructure& structure_;
  const ExploredBarriers& barriers_;
  const std::vector<std::vector<EventId>> meetings_;  // of all barriers
  const std::optional<ReadsBehind> reads_behind_;     // set if waiting depends on reads
  Arrivals counted_;
};

}  // namespace ptxmc
