#include "solver/explorer/explored_ends.hpp"
#include "solver/launch/properties/properties.hpp"
#include "solver/meetings/divergence.hpp"
#include "solver/smt_engine/termination.hpp"

// Under fair scheduling a thread never ends. The manual does not define how threads continue after a
// divergence, so a divergence excludes a deadlock.

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

std::vector<Suspect> deadlocks(const ObservedExecution& observed) {
  const EventStructure& structure = observed.structure;
  PartialExecution& execution = observed.execution;
  const bool is_stuck = observed.is_fair && (some_ends(structure, execution, Kind::spinning) ||
                                             some_ends(structure, execution, Kind::waiting));
  if (!is_stuck || !all_end(structure, execution, {Kind::completed, Kind::spinning, Kind::waiting}) ||
      observed.barriers.some_warp_diverges(execution))
    return {};
  return {{Bits::boolean(true), {}, {}, {}, {}}};
}

std::vector<Suspect> possible_deadlocks(const Encoding& encoding, const Bits&) {
  Bits diverges = Bits::boolean(false);
  for (const Divergence& divergence : divergences(encoding.structure()))
    diverges = diverges | divergence.elsewhere;
  return {{is_stuck(encoding) & ~diverges, {}, {}, {}, {}}};
}

bool all_threads_end(LaunchFacts& facts) {
  return !facts.may_be(facts.some_end({Kind::spinning, Kind::waiting}));
}

bool add_stuck_threads(LaunchFinding& finding, const EventStructure& structure, const Holds& holds) {
  finding.stuck = stuck_threads(structure, holds);
  return true;
}

}  // namespace

PropertyDefinition deadlock_property() {
  return {.property = LaunchProperty::deadlock,
          .observed = deadlocks,
          .related = possible_deadlocks,
          .is_excluded = all_threads_end,
          .complete = add_stuck_threads};
}

}  // namespace ptxmc
