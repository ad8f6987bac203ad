#include "src/kernel/unfolding/thread_groups.hpp"

#include <map>

namespace ptxmc::kernel {

ThreadGroups::ThreadGroups(std::vector<PlaceInLaunch> places) : places_(std::move(places)) {
  for (int thread = 0; thread < size(); ++thread) {
    const auto cta = static_cast<std::size_t>(places_[static_cast<std::size_t>(thread)].cta);
    if (ctas_.size() <= cta) ctas_.resize(cta + 1);
    ctas_[cta].push_back(thread);
  }
  for (const ThreadGroup kind : all_thread_groups) {
    Groups& groups = groups_[static_cast<std::size_t>(kind)];
    std::map<std::pair<int, std::uint32_t>, std::size_t> numbers;  // by cluster and number in the cluster
    for (int thread = 0; thread < size(); ++thread) {
      const auto& [cluster, cta, place] = places_[static_cast<std::size_t>(thread)];
      const auto [group, rank] = place_in(kind, place);
      const auto [number, is_new] = numbers.try_emplace({cluster, group}, groups.members.size());
      if (is_new) groups.members.emplace_back(ranks_of(kind, place.threads_of_cta), no_thread);
      groups.members[number->second][rank] = thread;
      groups.group.push_back(number->second);
    }
  }
}

unsigned ThreadGroups::rank_of(ThreadGroup kind, int thread) const {
  return place_in(kind, places_[static_cast<std::size_t>(thread)].place).rank;
}

const std::vector<int>& ThreadGroups::group_of(ThreadGroup kind, int thread) const {
  const Groups& groups = groups_[static_cast<std::size_t>(kind)];
  return groups.members[groups.group[static_cast<std::size_t>(thread)]];
}

}  // namespace ptxmc::kernel
