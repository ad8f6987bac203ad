#include <algorithm>
#include <map>

#include "model/program/misuses.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/values/check.hpp"
#include "solver/launch/defined_part.hpp"
#include "solver/launch/properties/properties.hpp"
#include "solver/meetings/mbarrier_memory.hpp"

// A use of a barrier or an exchange that semantics/language/misuse.hpp lists: by one thread, which ends with
// it, or by two arrivals in one phase; and a misuse of the memory of an mbarrier.

namespace ptxmc {

namespace {

std::vector<Suspect> undefined_uses(const EventStructure& structure) {
  return ending_suspects(structure, Ending::Kind::undefined);
}

std::optional<Misuse> misuse_of(const EventStructure& structure, EventId a, EventId b, bool is_complete) {
  return misuse_in_phase(structure.events[static_cast<std::size_t>(a)],
                         structure.events[static_cast<std::size_t>(b)], is_complete);
}

/// Adds two arrivals that misuse their phase, in which both are under the condition `meets`.
void add_suspect(const EventStructure& structure, EventId a, EventId b, bool is_complete, const Bits& meets,
                 std::vector<Suspect>& result) {
  if (const auto found = misuse_of(structure, a, b, is_complete))
    result.push_back(
        {meets, site_of(structure, a), site_of(structure, b), std::string(sentence_of(*found)), {}});
}

std::vector<Suspect> misused_phases(const ObservedExecution& observed) {
  std::vector<Suspect> result;
  const Bits yes = Bits::boolean(true);
  for (const PartialExecution::Phase& phase : observed.execution.phases())
    for (const EventId id : phase.members)
      add_suspect(observed.structure, phase.members.front(), id, true, yes, result);
  const std::vector<int> misused = observed.barriers.misused_phases(observed.execution);
  for (EventId b = 0; b < static_cast<EventId>(misused.size()); ++b)
    for (EventId a = 0; a < b; ++a)
      if (misused[static_cast<std::size_t>(b)] <= last_misused_phase &&
          misused[static_cast<std::size_t>(a)] == misused[static_cast<std::size_t>(b)])
        add_suspect(observed.structure, a, b, false, yes, result);
  return result;
}

std::vector<Suspect> possible_misused_phases(const Encoding& encoding) {
  std::vector<Suspect> result;
  const EventStructure& structure = encoding.structure();
  const BarrierPhases& phases = encoding.algebra().phases();
  for (EventId first = 0; first < static_cast<EventId>(phases.meet.rows.size()); ++first)
    for (const auto& [second, meets] : phases.meet.rows[static_cast<std::size_t>(first)])
      if (first < second) add_suspect(structure, first, second, true, meets, result);
  for (const auto& [first, second, when] : phases.misused)
    add_suspect(structure, first, second, false, when, result);
  return result;
}

/// The undefined use of an mbarrier object in memory by an access that follows a write.
std::optional<Suspect> misused_mbarrier(const EventStructure& structure, EventId write, EventId access) {
  const Event &earlier = structure.events[static_cast<std::size_t>(write)],
              &own = structure.events[static_cast<std::size_t>(access)];
  const auto found = write == access
                         ? std::optional(Misuse::reduction_in_own_cta)
                         : misuse_of_memory(own.access.mbarrier, earlier.access.mbarrier, own.is_write());
  check(found.has_value(), "a pair of the model's relation `misuse` is a misuse");
  Suspect suspect{Bits::boolean(true), site_of(structure, access), {}, std::string(sentence_of(*found)), {}};
  if (write != access && earlier.kind != EventKind::initial_write) suspect.other = site_of(structure, write);
  return suspect;
}

std::vector<Suspect> possible_further_uses(const Encoding& encoding, const Bits&) {
  return possible_misused_phases(encoding);
}

/// Whether each operation on an mbarrier that may happen has a known phase: mbarrier_phases.hpp. It is then
/// in the life of its object, in which there must be no other access to its memory. An asynchronous reduction
/// in shared memory must be in that of another CTA.
bool are_phases_known(LaunchFacts& facts) {
  const auto& events = facts.structure().events;
  for (std::size_t i = 0; i < events.size(); ++i)
    if ((events[i].access.mbarrier != MbarrierAccess::none ||
         (events[i].strand != 0 && events[i].access.is_reduction)) &&
        events[i].kind != EventKind::initial_write && !events[i].condition.is_false() &&
        facts.schedule()[i] < 0)
      return false;
  return are_mbarriers_apart(facts.structure(), facts.schedule());
}

bool is_no_phase_misused(LaunchFacts& facts) {
  std::map<int, EventId> first;  // by phase
  for (EventId id = 0; id < static_cast<EventId>(facts.schedule().size()); ++id) {
    const int phase = facts.schedule()[static_cast<std::size_t>(id)];
    if (facts.structure().events[static_cast<std::size_t>(id)].kind != EventKind::barrier) continue;
    if (phase <= last_misused_phase ||
        (phase >= 0 && misuse_of(facts.structure(), first.emplace(phase, id).first->second, id, true)))
      return false;
  }
  return true;
}

bool is_confirmed(LaunchFinding& finding, const EventStructure&, const Holds&) {
  const Execution& execution = finding.witness;
  if (finding.site.event < 0) return execution.undefined_uses.contains(finding.site.thread);
  if (execution.events[static_cast<std::size_t>(finding.site.event)].kind == EventKind::barrier)
    return finding.other && misuse_in_phase(execution, finding.site.event, finding.other->event).has_value();
  return std::ranges::any_of(execution.relations.pairs(misuse_of_mbarrier),
                             [&](const auto& pair) { return pair.second == finding.site.event; });
}

}  // namespace

PropertyDefinition undefined_property() {
  return {
      .property = LaunchProperty::undefined,
      .visible = undefined_uses,
      .relation = misuse_of_mbarrier,
      .of_pair = misused_mbarrier,
      .observed = misused_phases,
      .related = possible_further_uses,
      .is_excluded = [](LaunchFacts& facts) { return are_phases_known(facts) && is_no_phase_misused(facts); },
      .complete = is_confirmed};
}

}  // namespace ptxmc
