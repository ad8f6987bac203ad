#pragma once

#include <utility>
#include <vector>

#include "solver/explorer/explored_barriers.hpp"
#include "solver/explorer/partial_execution.hpp"
#include "solver/launch/related_suspects.hpp"

namespace ptxmc {

/// A complete execution of the explorer's walk, in which the properties of a launch are evaluated.
struct ObservedExecution {
  const EventStructure& structure;
  PartialExecution& execution;
  const ExploredBarriers& barriers;
  const BitSet& gives_no_value;  ///< the writes that leave no value
  /// Threads that spin repeat an iteration for ever, which reads the last writes: `repeats_fairly`.
  bool is_fair = false;

  /// The pairs of a relation of the model; none if the model has no such relation.
  std::vector<std::pair<EventId, EventId>> related(const char* relation) const;
  /// The pairs of a relation of the model as suspects.
  std::vector<Suspect> pairs(const char* relation, PairSuspect) const;
};

}  // namespace ptxmc
