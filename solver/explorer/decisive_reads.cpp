#include "solver/explorer/decisive_reads.hpp"

#include <algorithm>
#include <utility>

#include "semantics/values/subterms.hpp"

namespace ptxmc {

namespace {

/// The variables that occur in a term.
std::vector<Bits> unknowns_of(const Bits& bits) {
  std::vector<Bits> result;
  visit_subterms(bits, [&](const Term& term) {
    if (term.op == Operator::variable) result.push_back(Bits(&term));
    return true;
  });
  return result;
}

bool are_known(const std::vector<Bits>& unknowns, const KnownValues& values) {
  return std::ranges::all_of(unknowns, [&](const Bits& unknown) { return values.find(unknown) != nullptr; });
}

}  // namespace

DecisiveReads::DecisiveReads(const EventStructure& structure, const ReadParts& reads,
                             const KnownValues& values)
    : decided_(reads.parts.size()), dependents_(reads.parts.size()) {
  const auto event = [&](EventId id) -> const Event& {
    return structure.events[static_cast<std::size_t>(id)];
  };
  for (std::size_t i = 0; i < reads.parts.size(); ++i) {
    const Event& read = event(reads.parts[i].read);
    if (reads.of(reads.parts[i].read).size() != 1) continue;
    std::vector<Bits> conditions;
    const auto decide = [&](const Bits& condition) {
      Unknowns unknowns = unknowns_of(condition);
      const auto own =
          std::ranges::find_if(unknowns, [&](const Bits& unknown) { return identical(unknown, read.value); });
      if (own == unknowns.end()) return;
      unknowns.erase(own);
      decided_[i].push_back(std::move(unknowns));
      conditions.push_back(condition);
    };
    if (read.rmw >= 0) decide(event(read.rmw).condition);
    for (const Ending& ending : structure.endings[static_cast<std::size_t>(read.thread)])
      if (ending.kind != Ending::Kind::completed && ending.kind != Ending::Kind::bound_reached)
        decide(ending.condition);
    if (!conditions.empty()) dependents_[i] = values.dependents(read.value.term()->variable, conditions);
  }
}

bool DecisiveReads::decides_one(std::size_t part, const KnownValues& values) const {
  return std::ranges::any_of(decided_[part],
                             [&](const Unknowns& others) { return are_known(others, values); });
}

bool DecisiveReads::decides_all(std::size_t part, const KnownValues& values) const {
  return std::ranges::all_of(decided_[part],
                             [&](const Unknowns& others) { return are_known(others, values); });
}

}  // namespace ptxmc
