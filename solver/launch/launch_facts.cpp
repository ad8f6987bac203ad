#include "solver/launch/launch_facts.hpp"

#include <algorithm>

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

bool LaunchFacts::may_be(const Bits& condition) {
  if (condition.is_false()) return false;
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
