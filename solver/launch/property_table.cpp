#include "solver/launch/property_table.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "model/program/misuses.hpp"
#include "semantics/values/check.hpp"
#include "solver/launch/properties/properties.hpp"
#include "solver/launch/related_suspects.hpp"

namespace ptxmc {

const PropertyDefinition& definition_of(LaunchProperty property) {
  static const std::array definitions = {
      assertion_property(),  race_property(),      uninitialized_property(), out_of_bounds_property(),
      divergence_property(), undefined_property(), deadlock_property()};
  const auto found = std::ranges::find(definitions, property, &PropertyDefinition::property);
  check(found != definitions.end(), "a property without a definition");
  return *found;
}

std::vector<Suspect> visible_suspects(const EventStructure& structure, LaunchProperty property) {
  return definition_of(property).visible(structure);
}

bool has_visible_suspect(const EventStructure& structure, LaunchProperty property) {
  return std::ranges::any_of(visible_suspects(structure, property),
                             [](const Suspect& suspect) { return !suspect.condition.is_false(); });
}

bool has_mbarriers(const EventStructure& structure) {
  return std::ranges::any_of(
      structure.events, [](const Event& event) { return event.access.mbarrier != MbarrierAccess::none; });
}

namespace {

/// Whether two warps may use different thread counts at one barrier of a launch.
bool may_use_different_counts(const EventStructure& structure) {
  if (structure.program->arrivals != Arrivals::by_warp) return false;
  std::map<std::uint64_t, const Event*> first;  // by the number of the barrier, in any CTA
  for (const Event& event : structure.events) {
    if (event.kind != EventKind::barrier || event.barrier.group != Barrier::Group::cta ||
        event.condition.is_false())
      continue;
    if (!event.barrier.id.is_constant() ||
        use_different_counts(*first.emplace(event.barrier.id.to_u64(), &event).first->second, event))
      return true;
  }
  return false;
}

}  // namespace

bool may_misuse_phases(const EventStructure& structure) {
  return may_use_different_counts(structure) || std::ranges::any_of(structure.events, [](const Event& event) {
           return event.kind == EventKind::barrier && is_reduction(event.barrier.kind);
         });
}

bool may_be_undefined(const EventStructure& structure) {
  return has_visible_suspect(structure, LaunchProperty::undefined) || has_mbarriers(structure) ||
         may_misuse_phases(structure);
}

namespace {

std::vector<Suspect> joined(std::vector<Suspect> all, std::vector<Suspect> more) {
  std::ranges::move(more, std::back_inserter(all));
  return all;
}

}  // namespace

std::vector<Suspect> suspects(const Encoding& encoding, LaunchProperty property, const Bits& wrong_end) {
  const PropertyDefinition& definition = definition_of(property);
  std::vector<Suspect> result = definition.visible(encoding.structure());
  if (definition.relation != nullptr)
    result = joined(std::move(result), related_suspects(encoding, definition.relation, definition.of_pair));
  result = joined(std::move(result), definition.related(encoding, wrong_end));
  for (Suspect& suspect : result)
    for (const int thread : suspect.completed)
      suspect.condition =
          suspect.condition & encoding.ends(static_cast<std::size_t>(thread), {Ending::Kind::completed});
  return result;
}

const char* relation_of(LaunchProperty property, const EventStructure& structure) {
  const PropertyDefinition& definition = definition_of(property);
  return definition.relation != nullptr && definition.is_relevant(structure) ? definition.relation : nullptr;
}

std::optional<LaunchFinding> finding_of(LaunchProperty property, const Suspect& suspect,
                                        const EventStructure& structure, const Execution& witness,
                                        const std::function<EventId(EventId)>& number, const Holds& holds) {
  LaunchFinding result;
  result.property = property;
  result.site = suspect.site;
  result.other = suspect.other;
  result.message = suspect.message;
  result.witness = witness;
  for (LaunchSite* site : {&result.site, result.other ? &*result.other : nullptr})
    if (site != nullptr && site->event >= 0) site->event = number(site->event);
  if (!definition_of(property).complete(result, structure, holds)) return std::nullopt;
  return result;
}

}  // namespace ptxmc
