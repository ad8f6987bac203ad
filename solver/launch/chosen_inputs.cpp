#include "solver/launch/chosen_inputs.hpp"

#include "solver/launch/launch_suspects.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/smt/smt_solver.hpp"

namespace ptxmc {

std::optional<ChosenInputs> choose_inputs(const CandidateExecutions& candidates, const DecideOptions& options,
                                          const TermGraph& graph) {
  ChosenInputs result;
  const auto choose = [&](const Bits& input) {
    for (const VariableId unknown : variables_of(input))
      result.try_emplace(unknown, Bits(graph.variable_width(unknown), result.size() + 1));
  };
  for (const Input& input : candidates.inputs) choose(input.value);
  for (const Event& event : candidates.structure->events)
    if (event.kind == EventKind::initial_write && !gives_no_value(*candidates.structure, event))
      choose(event.value);
  if (candidates.assumption.is_true()) return result;
  SmtSolver solver({TimeLimit::seconds_left(), options.memory_bytes, options.interrupted});
  solver.add(candidates.assumption);
  if (solver.check() != SmtSolver::Result::satisfiable) return std::nullopt;
  for (const VariableId unknown : variables_of(candidates.assumption))
    result.insert_or_assign(unknown, solver.value(unknown, graph.variable_width(unknown)));
  return result;
}

}  // namespace ptxmc
