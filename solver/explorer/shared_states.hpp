#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace ptxmc {

/// The final states that several threads have found in the subtrees of the places of a tree
/// (shared_tree.hpp).
class SharedStates {
 public:
  explicit SharedStates(std::size_t places) : count_(places) {}

  /// Records a state of the subtree of a place. Returns whether no earlier place has it so far.
  bool add(const std::vector<std::int64_t>& state, std::size_t place);
  /// The number of states known in the subtrees up to a place.
  std::size_t count_up_to(std::size_t place);

 private:
  std::mutex mutex_;
  std::map<std::vector<std::int64_t>, std::size_t> first_;  // by state: the first place that has it
  std::vector<std::size_t> count_;  // by place: the number of states that it has first
};

}  // namespace ptxmc
