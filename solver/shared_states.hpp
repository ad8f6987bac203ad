#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace ptxmc {

/// The final states that several threads have found behind the places of a tree (tree_places.hpp).
class SharedStates {
 public:
  explicit SharedStates(std::size_t places) : count_(places) {}

  /// A state is found behind a place. Whether it is known behind none before.
  bool add(const std::vector<std::int64_t>& state, std::size_t place);
  /// How many are known up to a place.
  std::size_t count_up_to(std::size_t place);

 private:
  std::mutex mutex_;
  std::map<std::vector<std::int64_t>, std::size_t> first_;  // the place
  std::vector<std::size_t> count_;                          // by place: of which it is the first
};

}  // namespace ptxmc
