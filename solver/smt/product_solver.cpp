#include "solver/smt/product_solver.hpp"

#include <utility>

namespace ptxmc {

ProductSolver::ProductSolver(TermGraph& graph, const SmtSolver::Limits& limits, const Bits& preferred,
                             const ProductSolver* beside)
    : smt_(limits, SmtSolver::FloatingPoint::by_examples, beside != nullptr ? &beside->smt_ : nullptr),
      graph_(graph),
      products_(graph) {
  if (preferred.is_true()) return;
  preferred_ = std::make_unique<ProductSolver>(graph, limits, Bits::boolean(true), this);
  preferred_->add(preferred);
}

void ProductSolver::add(const Bits& condition) {
  if (preferred_) preferred_->add(condition);
  add_here(condition);
}

void ProductSolver::add_here(const Bits& condition) {
  smt_.add(products_.replace_in(condition));
  smt_.add(products_.new_facts());
}

SmtSolver::Result ProductSolver::check(const Bits& condition) {
  constexpr std::uint64_t patience = 16;
  is_preferred_ = false;
  if (preferred_ && checks_until_preferred_-- == 0) {
    is_preferred_ = preferred_->check(condition) == SmtSolver::Result::satisfiable;
    in_vain_ = is_preferred_ ? 0 : in_vain_ + 1;
    checks_until_preferred_ = in_vain_ > patience ? in_vain_ - patience : 0;
  }
  return is_preferred_ ? SmtSolver::Result::satisfiable : check_all(condition);
}

void ProductSolver::limit_checks(double seconds) {
  smt_.limit_checks(seconds);
  if (preferred_) preferred_->limit_checks(seconds);
}

SmtSolver::Result ProductSolver::check_within(double seconds, const Bits& condition) {
  // Tries in vain of such questions say nothing of others.
  const std::uint64_t in_vain = in_vain_, checks_until_preferred = std::exchange(checks_until_preferred_, 0);
  limit_checks(seconds);
  const SmtSolver::Result result = check(condition);
  limit_checks(0);
  in_vain_ = in_vain;
  checks_until_preferred_ = checks_until_preferred;
  return result;
}

SmtSolver::Result ProductSolver::check_all(const Bits& condition) {
  constexpr unsigned most_rounds = 200;
  const Bits asked = products_.replace_in(condition);
  if (const Bits facts = products_.new_facts(); !facts.is_true()) {
    smt_.add(facts);
    if (are_defined_) smt_.add(products_.definitions());
  }
  for (unsigned round = 0;; ++round) {
    const SmtSolver::Result result = smt_.check({&asked, 1});
    if (result != SmtSolver::Result::satisfiable || are_defined_ || !products_.has_some()) return result;
    Substitution found = values();
    const Bits corrections = products_.corrections(found);
    if (corrections.is_true()) return result;
    add_here(corrections);
    are_defined_ = round == most_rounds;
    if (are_defined_) smt_.add(products_.definitions());
  }
}

Substitution ProductSolver::values() const {
  if (is_preferred_) return preferred_->values();
  Substitution result;
  for (VariableId id = 0; id < graph_.variable_count(); ++id)
    result.set(id, smt_.value(id, graph_.variable_width(id)));
  return result;
}

}  // namespace ptxmc
