#include "solver/launch/impossible_suspects.hpp"

#include <algorithm>
#include <initializer_list>

#include "solver/launch/property_table.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/smt/smt_solver.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

Bits some_end(const EventStructure& structure, std::initializer_list<Kind> kinds) {
  Bits some = Bits::boolean(false);
  for (const auto& endings : structure.endings)
    for (const Ending& ending : endings)
      if (std::ranges::find(kinds, ending.kind) != kinds.end()) some = some | ending.condition;
  return some;
}

/// Whether all suspects of a property follow from conditions of these events alone, not from relations of the
/// model, sources of reads or final memory.
bool has_only_visible_suspects(const LaunchQuestion& question, const EventStructure& structure,
                               LaunchProperty property) {
  switch (property) {
    case LaunchProperty::assertion:
      return !question.final_condition;
    case LaunchProperty::undefined:
      return !may_misuse_phases(structure) && !has_mbarriers(structure);
    case LaunchProperty::divergence:
    case LaunchProperty::deadlock:
      return true;
    case LaunchProperty::race:
    case LaunchProperty::uninitialized:
    case LaunchProperty::out_of_bounds:
      return false;
  }
  return false;
}

/// A condition that is true in each execution that violates the property.
Bits some_suspect(const EventStructure& structure, LaunchProperty property) {
  if (property == LaunchProperty::deadlock) return some_end(structure, {Kind::spinning, Kind::waiting});
  Bits some = Bits::boolean(false);
  for (const Suspect& suspect : visible_suspects(structure, property)) some = some | suspect.condition;
  return some;
}

}  // namespace

std::set<LaunchProperty> properties_without_suspects(const LaunchQuestion& question,
                                                     const SettledCandidates& candidates,
                                                     const DecideOptions& options, bool is_bound_reached) {
  const EventStructure& structure = candidates.structure;
  if (may_overlap_partially(structure)) return {};
  SmtSolver solver({TimeLimit::seconds_left(), options.memory_bytes, options.interrupted});
  solver.add(candidates.assumption);
  for (const Bits& constraint : candidates.phases.constraints) solver.add(constraint);
  const auto may_be = [&](const Bits& condition) {
    return !condition.is_false() && solver.check({&condition, 1}) != SmtSolver::Result::unsatisfiable;
  };
  const Bits reaches_bound = some_end(structure, {Kind::bound_reached});
  if (!is_bound_reached)
    solver.add(~reaches_bound);
  else if (may_be(reaches_bound))
    return {};
  std::set<LaunchProperty> result;
  for (const LaunchProperty property : question.properties)
    if (has_only_visible_suspects(question, structure, property) &&
        !may_be(some_suspect(structure, property)))
      result.insert(property);
  return result;
}

}  // namespace ptxmc
