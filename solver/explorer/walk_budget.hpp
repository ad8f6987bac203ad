#pragma once

#include <cstdint>

#include "solver/explorer/progress_report.hpp"
#include "solver/explorer/tree_position.hpp"

namespace ptxmc {

/// Counts the steps of a walk, reports its progress, and ends it at a limit.
class WalkBudget {
 public:
  /// The report must outlive it. `step_cost`: see `cost_of_step`.
  WalkBudget(ProgressReport& report, std::uint64_t step_cost) : report_(report), step_cost_(step_cost) {}

  /// The limit of a walk through the whole tree.
  void set_limit(const StepLimit& limit) { limit_ = limit; }
  /// The limit that the walks through several places share, in place of the other; null: there is none.
  /// Returns the one before. It must outlive the walk.
  const AreTooMany* share_limit(const AreTooMany* are_too_many);
  bool shares_limit() const { return are_too_many_ != nullptr; }

  /// Begins a walk; `executions` were found by earlier ones.
  void begin(std::uint64_t executions);
  /// Counts a step. Returns whether the walk must stop; `course` says why.
  bool step(Course&, const TreePosition&, std::uint64_t executions);
  /// Reports the number of executions and the share of the tree that is done.
  void report(const TreePosition&, std::uint64_t executions);

 private:
  ProgressReport& report_;
  const std::uint64_t step_cost_;
  StepLimit limit_;
  const AreTooMany* are_too_many_ = nullptr;
  std::uint64_t reported_ = 0;  // executions
  double reported_done_ = 0;
};

}  // namespace ptxmc
