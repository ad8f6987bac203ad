#pragma once

#include <memory>
#include <set>
#include <unordered_map>

#include "solver/smt_solver.hpp"

namespace ptxmc {

/// The inputs that a launch leaves open, and what is assumed of them.
class PossibleInputs {
 public:
  /// `assumption` has width 1. Throws nothing when time runs out: then all inputs are possible.
  PossibleInputs(std::set<VariableId> inputs, Bits assumption, const SmtSolver::Limits&);

  /// The inputs alone say what the value is.
  bool decide(const Bits& value) const;
  /// Some inputs allow the condition (width 1), whatever else it speaks of; or it is not known.
  bool allow(const Bits& condition);

 private:
  const std::set<VariableId> inputs_;
  const Bits assumption_;
  const SmtSolver::Limits limits_;
  std::unique_ptr<SmtSolver> solver_;  // once it is asked
  std::unordered_map<const Term*, bool> allowed_;
};

}  // namespace ptxmc
