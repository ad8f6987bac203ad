#include "solver/smt/solve_terms.hpp"

#include "solver/limits/time_limit.hpp"
#include "solver/smt/smt_solver.hpp"

namespace ptxmc {

std::vector<Bits> solve_terms(std::span<const Bits> terms, std::span<const Bits> variables,
                              std::span<const Bits> values) {
  SmtSolver solver({.timeout_seconds = TimeLimit::seconds_left()}, SmtSolver::FloatingPoint::by_theory);
  for (std::size_t i = 0; i < variables.size(); ++i) solver.add(equal(variables[i], values[i]));
  std::vector<Bits> unknowns;
  for (const Bits& term : terms) {
    if (term.is_constant()) {
      unknowns.push_back(term);
      continue;
    }
    unknowns.push_back(term.term()->graph->variable(term.width(), "result"));
    solver.add(equal(unknowns.back(), term));
  }
  const SmtSolver::Result result = solver.check();
  if (result == SmtSolver::Result::unknown) throw OutOfTime(solver.reason());
  if (result == SmtSolver::Result::unsatisfiable)
    throw std::logic_error("Z3 finds no value of a term: the terms contradict each other");
  std::vector<Bits> results;
  for (const Bits& unknown : unknowns)
    results.push_back(unknown.is_constant() ? unknown
                                            : solver.value(unknown.term()->variable, unknown.width()));
  return results;
}

}  // namespace ptxmc
