#pragma once

#include <memory>
#include <set>
#include <unordered_map>

#include "solver/smt/product_solver.hpp"

namespace ptxmc {

/// The inputs that a launch leaves open, and the assumption about them.
class PossibleInputs {
 public:
  /// `assumption` has width 1. If time runs out, nothing is thrown, and all inputs count as possible. Inputs
  /// that satisfy `preferred` are tried first.
  PossibleInputs(std::set<VariableId> inputs, Bits assumption, const SmtSolver::Limits&,
                 Bits preferred = Bits::boolean(true));

  /// Adds an unknown that counts as an input.
  void add(VariableId input) { inputs_.insert(input); }
  /// Adds a condition (width 1) that is true of all inputs.
  void assume(const Bits& fact);
  /// Whether the inputs alone determine the value.
  bool decide(const Bits& value) const;
  /// Whether some inputs allow the condition (width 1), for some values of its other unknowns; also true if
  /// this could not be decided.
  bool allow(const Bits& condition);

 private:
  std::set<VariableId> inputs_;
  Bits assumption_;
  const Bits preferred_;
  const SmtSolver::Limits limits_;
  std::unique_ptr<ProductSolver> solver_;  // created at its first use
  std::unordered_map<const Term*, bool> allowed_;
};

}  // namespace ptxmc
