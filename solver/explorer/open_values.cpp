#include "solver/explorer/open_values.hpp"

#include <algorithm>
#include <set>

namespace ptxmc {

bool has_open_values(const EventStructure& structure, std::span<const Bits> further,
                     std::span<const Bits> chosen) {
  std::set<VariableId> known;
  const auto add_known = [&](const Bits& unknown) {
    if (unknown.width() != 0 && !unknown.is_constant() && unknown.term()->op == Operator::variable)
      known.insert(unknown.term()->variable);
  };
  std::ranges::for_each(chosen, add_known);
  for (const Event& each : structure.events) {
    const bool is_result = each.is_read() || each.kind == EventKind::barrier;
    if (is_result) add_known(each.value);
    add_known(each.goes_on);
  }
  const auto is_open = [&](const Bits& term) {
    return term.width() != 0 && std::ranges::any_of(variables_of(term), [&](VariableId variable) {
             return !known.contains(variable);
           });
  };
  if (std::ranges::any_of(further, is_open)) return true;
  for (const Event& each : structure.events)
    for (const Bits* part : {&each.condition, &each.address, &each.location, &each.value})
      if (is_open(*part)) return true;
  return std::ranges::any_of(structure.endings, [&](const auto& endings) {
    return std::ranges::any_of(endings, [&](const Ending& ending) { return is_open(ending.condition); });
  });
}

}  // namespace ptxmc
