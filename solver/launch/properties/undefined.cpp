#include <algorithm>
#include <map>

#include "model/program/misuses.hpp"
#include "semantics/language/misuse.hpp"
#include "solver/launch/properties/properties.hpp"

// A use of a barrier or an exchange that semantics/language/misuse.hpp lists: by one thread, which ends with
// it, or a reduction in one phase with arrivals that are not.

namespace ptxmc {

namespace {

std::vector<Suspect> undefined_uses(const EventStructure& structure) {
  return ending_suspects(structure, Ending::Kind::undefined);
}

/// Whether two arrivals at a barrier must not be in one phase.
bool are_mixed(const EventStructure& structure, EventId a, EventId b) {
  const auto use = [&](EventId id) { return use_of(structure.events[static_cast<std::size_t>(id)]); };
  const ObjectUse other = use(b);
  return misuse(UsePair::phase, use(a), &other).has_value();
}

/// Two such arrivals, which are in one phase under the condition `meets`.
Suspect mixed_phase(const EventStructure& structure, EventId a, EventId b, const Bits& meets) {
  return {meets,
          site_of(structure, a),
          site_of(structure, b),
          std::string(sentence_of(Misuse::reduction_beside_others)),
          {}};
}

std::vector<Suspect> mixed_phases(const ObservedExecution& observed) {
  std::vector<Suspect> result;
  for (const PartialExecution::Phase& phase : observed.execution.phases())
    for (const EventId id : phase.members)
      if (are_mixed(observed.structure, phase.members.front(), id))
        result.push_back(mixed_phase(observed.structure, phase.members.front(), id, Bits::boolean(true)));
  return result;
}

std::vector<Suspect> possible_mixed_phases(const Encoding& encoding, const Bits&) {
  std::vector<Suspect> result;
  const EventStructure& structure = encoding.structure();
  const auto& rows = encoding.algebra().phases().meet.rows;
  for (EventId first = 0; first < static_cast<EventId>(rows.size()); ++first)
    for (const auto& [second, meets] : rows[static_cast<std::size_t>(first)])
      if (first < second && are_mixed(structure, first, second))
        result.push_back(mixed_phase(structure, first, second, meets));
  return result;
}

bool is_no_phase_mixed(LaunchFacts& facts) {
  std::map<int, EventId> first;  // by phase
  for (EventId id = 0; id < static_cast<EventId>(facts.schedule().size()); ++id) {
    const int phase = facts.schedule()[static_cast<std::size_t>(id)];
    if (phase >= 0 && are_mixed(facts.structure(), first.emplace(phase, id).first->second, id)) return false;
  }
  return true;
}

bool is_confirmed(LaunchFinding& finding, const EventStructure&, const Holds&) {
  const Execution& execution = finding.witness;
  return finding.other ? misuse_in_phase(execution, finding.site.event, finding.other->event).has_value()
                       : execution.undefined_uses.contains(finding.site.thread);
}

}  // namespace

PropertyDefinition undefined_property() {
  return {.property = LaunchProperty::undefined,
          .visible = undefined_uses,
          .observed = mixed_phases,
          .related = possible_mixed_phases,
          .is_excluded = is_no_phase_mixed,
          .complete = is_confirmed};
}

}  // namespace ptxmc
