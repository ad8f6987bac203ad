#include "solver/launch/observed_execution.hpp"

namespace ptxmc {

std::vector<Suspect> ObservedExecution::pairs(const char* relation) const {
  std::vector<Suspect> result;
  BitMatrix pairs;
  execution.model.copy_value(execution.model.find_step(relation), pairs);
  for (std::size_t first = 0; first < pairs.size(); ++first)
    pairs.for_each_successor(first, [&](std::size_t second) {
      if (second <= first) return;
      result.push_back({Bits::boolean(true),
                        site_of(structure, static_cast<EventId>(first)),
                        site_of(structure, static_cast<EventId>(second)),
                        {},
                        {}});
    });
  return result;
}

}  // namespace ptxmc
