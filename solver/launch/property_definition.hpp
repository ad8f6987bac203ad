#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solver/encoding/encoding.hpp"
#include "solver/launch/launch_facts.hpp"
#include "solver/launch/launch_suspects.hpp"
#include "solver/launch/observed_execution.hpp"

namespace ptxmc {

/// Whether a condition (width 1) is true in an execution.
using Holds = std::function<bool(const Bits& condition)>;

/// How violations of a property of launches are found. The violations are the *visible* suspects, which
/// follow from the events alone, and further ones, which depend on the model or on final memory.
struct PropertyDefinition {
  LaunchProperty property = LaunchProperty::assertion;
  std::vector<Suspect> (*visible)(const EventStructure&) = [](const EventStructure&) {
    return std::vector<Suspect>();
  };

  /// A relation of the model whose pairs are violations; null: there is none.
  const char* relation = nullptr;
  /// The suspect for a pair of the relation, under the condition that the pair is in it; empty if another
  /// pair has the same suspect.
  std::optional<Suspect> (*of_pair)(const EventStructure&, EventId, EventId) = nullptr;
  /// Whether the relation may have pairs in an execution of these events.
  bool (*is_relevant)(const EventStructure&) = [](const EventStructure&) { return true; };
  /// The further violations of a complete execution, for the explorer. (Those of the final condition need the
  /// contents of memory: `FinalConditionObserver`.)
  std::vector<Suspect> (*observed)(const ObservedExecution&) = [](const ObservedExecution&) {
    return std::vector<Suspect>();
  };
  /// The further suspects over relations with unknowns, for the solver. `wrong_end`: all threads have ended,
  /// and the final condition is false.
  std::vector<Suspect> (*related)(const Encoding&, const Bits& wrong_end) = [](const Encoding&, const Bits&) {
    return std::vector<Suspect>();
  };
  /// Whether no execution has a further violation. It is sound for the models of PTX.
  bool (*is_excluded)(LaunchFacts&) = [](LaunchFacts&) { return true; };

  /// Completes a finding from its witness. Returns false if the witness does not show the violation.
  bool (*complete)(LaunchFinding&, const EventStructure&,
                   const Holds&) = [](LaunchFinding&, const EventStructure&, const Holds&) { return true; };
};

}  // namespace ptxmc
