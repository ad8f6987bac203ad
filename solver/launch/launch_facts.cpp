#include "solver/launch/launch_facts.hpp"

#include <algorithm>
#include <vector>

#include "solver/limits/time_limit.hpp"

namespace ptxmc {

LaunchFacts::LaunchFacts(const LaunchQuestion& question, const EventStructure& structure,
                         const BarrierSchedule& schedule, const DecideOptions& options, TermGraph& graph)
    : question_(question),
      structure_(structure),
      schedule_(schedule),
      order_(structure, schedule),
      accesses_(structure, order_),
      is_ordered_(!accesses_.first_unordered()),
      graph_(graph),
      solver_({TimeLimit::seconds_left(), options.memory_bytes, options.interrupted}) {
  solver_.add(question.assumption);
}

/// Whether a condition holds if all unknowns are as large as signed numbers can be, or all different and
/// small. The solver takes long to find values for a condition about many threads.
static bool holds_for_simple_values(const Bits& condition, const TermGraph& graph) {
  const std::vector<VariableId> unknowns = variables_of(condition);
  const auto holds = [&](const auto& value_of) {
    Substitution values;
    for (const VariableId unknown : unknowns) values.set(unknown, value_of(graph.variable_width(unknown)));
    return values.apply(condition).is_true();
  };
  std::uint64_t next = 0;
  return holds([](unsigned width) { return shift_right_unsigned(~Bits(width, 0), Bits(width, 1)); }) ||
         holds([&](unsigned width) { return Bits(width, ++next); });
}

bool LaunchFacts::may_be(const Bits& condition) {
  if (condition.is_false()) return false;
  if (holds_for_simple_values(condition & question_.assumption, graph_)) return true;
  return solver_.check({&condition, 1}) != SmtSolver::Result::unsatisfiable;
}

Bits LaunchFacts::some_end(std::initializer_list<Ending::Kind> kinds) const {
  Bits some = Bits::boolean(false);
  for (const auto& endings : structure_.endings)
    for (const Ending& ending : endings)
      if (std::ranges::find(kinds, ending.kind) != kinds.end()) some = some | ending.condition;
  return some;
}

}  // namespace ptxmc
