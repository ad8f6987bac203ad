#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

/// Sets of reads. Each set is stored once and identified by a number; 0 is the empty set.
class ReadSets {
 public:
  using Id = std::uint32_t;

  Id single(EventId read) { return intern({read}); }

  Id unite(Id a, Id b) {
    if (a == b || b == 0) return a;
    if (a == 0) return b;
    const auto key = std::minmax(a, b);
    if (const auto known = unions_.find(key); known != unions_.end()) return known->second;
    std::vector<EventId> both;
    std::set_union(sets_[a].begin(), sets_[a].end(), sets_[b].begin(), sets_[b].end(),
                   std::back_inserter(both));
    return unions_[key] = intern(std::move(both));
  }

  const std::vector<EventId>& elements(Id id) const { return sets_[id]; }

 private:
  Id intern(std::vector<EventId> set) {
    const auto [place, is_new] = numbers_.try_emplace(set, static_cast<Id>(sets_.size()));
    if (is_new) sets_.push_back(std::move(set));
    return place->second;
  }

  std::vector<std::vector<EventId>> sets_{{}};
  std::map<std::vector<EventId>, Id> numbers_{{{}, 0}};
  std::map<std::pair<Id, Id>, Id> unions_;
};

}  // namespace ptxmc
