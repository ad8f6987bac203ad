#include "solver/launch/related_suspects.hpp"

namespace ptxmc {

bool is_race_flag(const std::string& name) { return name.find("race") != std::string::npos; }

/// One suspect for each pair of lines would suffice to decide, but reports name threads.
std::vector<Suspect> related_suspects(const Encoding& encoding, const char* name) {
  std::vector<Suspect> result;
  const SymbolicRelation* relation = encoding.outcome().relation(name);
  if (relation == nullptr) return result;
  for (EventId first = 0; first < static_cast<EventId>(relation->rows.size()); ++first)
    for (const auto& [second, holds] : relation->rows[first])
      if (first < second)
        result.push_back(
            {holds, site_of(encoding.structure(), first), site_of(encoding.structure(), second), {}, {}});
  return result;
}

}  // namespace ptxmc
