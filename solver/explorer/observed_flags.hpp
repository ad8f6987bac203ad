#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "solver/explorer/partial_execution.hpp"

namespace ptxmc {

/// The flags of a model that an exploration of a litmus test observes: those that are sought, or those that
/// make all other answers void.
class ObservedFlags {
 public:
  /// The structure must outlive it. `sought`: flags to search for, instead of states.
  ObservedFlags(const cat::Model&, const EventStructure&, std::vector<std::string> sought);

  /// The model with only the flags that may matter.
  const cat::Model& model() const { return model_; }

  /// Whether flags are sought, instead of states.
  bool are_sought() const { return !sought_.empty(); }
  /// Whether races between accesses that overlap partially may void the states.
  bool check_race() const { return !are_sought() && has_mixed_sizes_ && !model_.flags.empty(); }
  bool are_any() const { return are_sought() || check_race(); }
  bool contains(const std::string& name) const;

  /// The executions that raise flags that are sought, by flag.
  using Raised = std::map<std::string, Execution>;

  /// Whether some orientation of the open pairs may raise one of them that is not raised yet. Existing orders
  /// hold in all orientations.
  bool may_be_raised(PartialExecution&, const Raised&) const;
  /// Records a complete execution for each of them that it raises. Returns whether all are raised.
  bool note(PartialExecution&, Raised&) const;
  /// Whether a complete execution has a race between accesses that overlap partially.
  bool has_race(PartialExecution&) const;

 private:
  const EventStructure& structure_;
  const std::vector<std::string> sought_;
  const bool has_mixed_sizes_;
  const cat::Model model_;
  std::vector<bool> falls_;  // by flag: further orientations can only lower it
};

}  // namespace ptxmc
