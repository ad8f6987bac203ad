#include "solver/launch/related_suspects.hpp"

namespace ptxmc {

bool is_race_flag(const std::string& name) { return name.find("race") != std::string::npos; }

std::optional<Suspect> unordered_pair(const EventStructure& structure, EventId first, EventId second) {
  if (first >= second) return std::nullopt;
  return Suspect{Bits::boolean(true), site_of(structure, first), site_of(structure, second), {}, {}};
}

/// One suspect for each pair of lines would suffice to decide, but reports name threads.
std::vector<Suspect> related_suspects(const Encoding& encoding, const char* name, PairSuspect of_pair) {
  std::vector<Suspect> result;
  const SymbolicRelation* relation = encoding.outcome().relation(name);
  if (relation == nullptr) return result;
  for (EventId first = 0; first < static_cast<EventId>(relation->rows.size()); ++first)
    for (const auto& [second, holds] : relation->rows[static_cast<std::size_t>(first)])
      if (auto suspect = of_pair(encoding.structure(), first, second)) {
        suspect->condition = holds;
        result.push_back(*std::move(suspect));
      }
  return result;
}

}  // namespace ptxmc
