#include "solver/smt/product_solver.hpp"

namespace ptxmc {

Products& ProductSolver::products_of(const Bits& term) {
  if (!products_) {
    graph_ = term.term()->graph;
    products_.emplace(*graph_);
  }
  return *products_;
}

void ProductSolver::add(const Bits& condition) {
  if (condition.is_constant()) return smt_.add(condition);
  smt_.add(products_of(condition).replace_in(condition));
  smt_.add(products_->new_facts());
}

SmtSolver::Result ProductSolver::check(const Bits& condition) {
  constexpr unsigned most_rounds = 200;
  const bool is_known = condition.is_constant() && !products_;
  if (is_known) return smt_.check({&condition, 1});
  const Bits asked = condition.is_constant() ? condition : products_of(condition).replace_in(condition);
  if (const Bits facts = products_->new_facts(); !facts.is_true()) {
    smt_.add(facts);
    if (are_defined_) smt_.add(products_->definitions());
  }
  for (unsigned round = 0;; ++round) {
    const SmtSolver::Result result = smt_.check({&asked, 1});
    if (result != SmtSolver::Result::satisfiable || are_defined_ || !products_->has_some()) return result;
    Substitution found = values();
    const Bits corrections = products_->corrections(found);
    if (corrections.is_true()) return result;
    add(corrections);
    are_defined_ = round == most_rounds;
    if (are_defined_) smt_.add(products_->definitions());
  }
}

Substitution ProductSolver::values() const {
  Substitution result;
  for (VariableId id = 0; graph_ != nullptr && id < graph_->variable_count(); ++id)
    result.set(id, smt_.value(id, graph_->variable_width(id)));
  return result;
}

}  // namespace ptxmc
