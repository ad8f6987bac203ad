#include "solver/launch/launch_cases.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "solver/unfolding/substitution.hpp"

namespace ptxmc {

namespace {

/// The unknowns that only an execution determines: values of reads, and whether threads continue after
/// barriers.
std::set<VariableId> unknowns_of_execution(const EventStructure& structure) {
  std::set<VariableId> result;
  for (const Event& event : structure.events)
    for (const Bits* bits : {&event.value, &event.goes_on})
      if (bits->width() != 0 && !bits->is_constant() && bits->term()->op == Operator::variable)
        result.insert(bits->term()->variable);
  return result;
}

/// The distinct conditions under which threads that pass all earlier barriers execute a barrier. Empty
/// optional if one depends on the execution, or if there are more than a few.
std::optional<std::vector<Bits>> conditions_of_barriers(const EventStructure& structure) {
  constexpr std::size_t few = 3;
  const std::set<VariableId> unknown = unknowns_of_execution(structure);
  Substitution passed;
  for (const Event& event : structure.events)
    if (event.goes_on.width() != 0 && !event.goes_on.is_constant())
      passed.replace(event.goes_on, Bits::boolean(true));
  std::vector<Bits> conditions;
  for (const Event& event : structure.events) {
    if (event.kind != EventKind::barrier) continue;
    const Bits happens = passed.apply(event.condition);
    const auto is_same = [&](const Bits& other) { return identical(happens, other); };
    if (happens.is_constant() || std::ranges::any_of(conditions, is_same)) continue;
    if (conditions.size() == few) return std::nullopt;
    const auto variables = variables_of(happens);
    if (std::ranges::any_of(variables, [&](VariableId id) { return unknown.contains(id); }))
      return std::nullopt;
    conditions.push_back(happens);
  }
  return conditions;
}

}  // namespace

std::vector<LaunchCase> barrier_cases(const EventStructure& structure) {
  const auto conditions = conditions_of_barriers(structure);
  std::vector<LaunchCase> cases;
  if (!conditions || conditions->empty()) return cases;
  for (unsigned chosen = 0; chosen < 1u << conditions->size(); ++chosen) {
    Substitution known;
    Bits assumption = Bits::boolean(true);
    for (std::size_t i = 0; i < conditions->size(); ++i) {
      const Bits& condition = (*conditions)[i];
      const bool holds = (chosen >> i & 1) != 0;
      known.replace(condition, Bits::boolean(holds));
      known.replace(~condition, Bits::boolean(!holds));
      assumption = assumption & (holds ? condition : ~condition);
    }
    if (assumption.is_false()) continue;
    substitute(cases.emplace_back(LaunchCase{structure, assumption}).structure, known);
  }
  return cases;
}

}  // namespace ptxmc
