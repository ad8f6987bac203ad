#include "solver/launch/observed_execution.hpp"

#include <algorithm>

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

std::vector<Suspect> ObservedExecution::pairs(const char* relation, PairSuspect of_pair) const {
  const auto has_completed = [&](int thread) {
    return execution.ending(static_cast<std::size_t>(thread)) == Ending::Kind::completed;
  };
  std::vector<Suspect> result;
  for (const auto& [first, second] : related(relation))
    if (auto suspect = of_pair(structure, first, second))
      if (std::ranges::all_of(suspect->completed, has_completed)) result.push_back(*std::move(suspect));
  return result;
}

}  // namespace ptxmc
