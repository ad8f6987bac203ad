#pragma once

#include <array>
#include <vector>

#include "semantics/language/thread_group.hpp"

namespace ptxmc::kernel {

/// The position of a thread in a launch.
struct PlaceInLaunch {
  int cluster = 0, cta = 0;  ///< numbers in the launch
  PlaceInCluster place;
};

/// The groups of threads of a launch.
class ThreadGroups {
 public:
  static constexpr int no_thread = -1;

  /// By thread, its position.
  explicit ThreadGroups(std::vector<PlaceInLaunch>);

  int size() const { return static_cast<int>(places_.size()); }
  /// The threads of the CTA of a thread.
  const std::vector<int>& cta_of(int thread) const {
    return ctas_[static_cast<std::size_t>(places_[static_cast<std::size_t>(thread)].cta)];
  }
  unsigned rank_of(ThreadGroup, int thread) const;
  /// The threads of the group of a thread, by rank; `no_thread` for ranks without a thread.
  const std::vector<int>& group_of(ThreadGroup, int thread) const;

 private:
  struct Groups {
    std::vector<std::vector<int>> members;  // by group, then rank
    std::vector<std::size_t> group;         // by thread
  };

  std::vector<PlaceInLaunch> places_;
  std::vector<std::vector<int>> ctas_;
  std::array<Groups, 3> groups_;  // by kind of group
};

}  // namespace ptxmc::kernel
