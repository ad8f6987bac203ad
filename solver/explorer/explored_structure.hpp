#pragma once

#include <optional>

#include "solver/explorer/counted_phases.hpp"
#include "solver/explorer/explored_barriers.hpp"

namespace ptxmc {

/// The events of a litmus test and its barriers, as an ExecutionWalk needs them. If all executions have the
/// same phases, the events are those under these phases, and no condition of an arrival is evaluated.
class ExploredStructure {
 public:
  /// The structure must outlive it.
  explicit ExploredStructure(const EventStructure&);
  ExploredStructure(const ExploredStructure&) = delete;
  ExploredStructure& operator=(const ExploredStructure&) = delete;

  const EventStructure& events() const { return scheduled_ ? *scheduled_ : given_; }
  const ExploredBarriers& barriers() const { return barriers_; }
  /// The choice of phases with a thread count; null if the phases are known.
  const CountedPhases* counted() const { return counted_ ? &*counted_ : nullptr; }

 private:
  const EventStructure& given_;
  const std::optional<BarrierSchedule> schedule_;
  const std::optional<EventStructure> scheduled_;  // the events under the schedule
  const ExploredBarriers barriers_;
  std::optional<CountedPhases> counted_;
};

}  // namespace ptxmc
