#include "solver/launch/observed_execution.hpp"

namespace ptxmc {

std::vector<std::pair<EventId, EventId>> ObservedExecution::related(const char* relation) const {
  std::vector<std::pair<EventId, EventId>> result;
  if (!execution.model.defines(relation)) return result;
  BitMatrix pairs;
  execution.model.copy_value(execution.model.find_step(relation), pairs);
  for (std::size_t first = 0; first < pairs.size(); ++first)
    pairs.for_each_successor(first, [&](std::size_t second) {
      result.emplace_back(static_cast<EventId>(first), static_cast<EventId>(second));
    });
  return result;
}

std::vector<Suspect> ObservedExecution::pairs(const char* relation) const {
  std::vector<Suspect> result;
  for (const auto& [first, second] : related(relation))
    if (first < second)
      result.push_back({Bits::boolean(true), site_of(structure, first), site_of(structure, second), {}, {}});
  return result;
}

}  // namespace ptxmc
