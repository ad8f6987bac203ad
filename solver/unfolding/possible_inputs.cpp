#include "solver/unfolding/possible_inputs.hpp"

#include <algorithm>

namespace ptxmc {

PossibleInputs::PossibleInputs(std::set<VariableId> inputs, Bits assumption, const SmtSolver::Limits& limits,
                               Bits preferred)
    : inputs_(std::move(inputs)),
      assumption_(std::move(assumption)),
      preferred_(std::move(preferred)),
      limits_(limits) {}

bool PossibleInputs::decide(const Bits& value) const {
  return std::ranges::all_of(variables_of(value),
                             [&](VariableId variable) { return inputs_.contains(variable); });
}

void PossibleInputs::assume(const Bits& fact) {
  assumption_ = assumption_ & fact;
  if (solver_) solver_->add(fact);
}

bool PossibleInputs::allow(const Bits& condition) {
  if (condition.is_constant()) return condition.is_true();
  if (inputs_.empty()) return true;
  const auto known = allowed_.find(condition.term());
  if (known != allowed_.end()) return known->second;
  if (!solver_) {
    solver_ = std::make_unique<ProductSolver>(*condition.term()->graph, limits_, preferred_);
    solver_->add(assumption_);
  }
  constexpr double most_seconds = 4;  // a hard question leaves time for others
  const bool result = solver_->check_within(most_seconds, condition) != SmtSolver::Result::unsatisfiable;
  allowed_.emplace(condition.term(), result);
  return result;
}

}  // namespace ptxmc
