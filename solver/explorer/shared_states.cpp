#include "solver/explorer/shared_states.hpp"

#include <numeric>

namespace ptxmc {

bool SharedStates::add(const std::vector<std::int64_t>& state, std::size_t place) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = first_.try_emplace(state, place);
  if (!is_new && known->second <= place) return known->second == place;
  if (!is_new) --count_[known->second];
  known->second = place;
  ++count_[place];
  return true;
}

std::size_t SharedStates::count_up_to(std::size_t place) {
  const std::lock_guard lock(mutex_);
  const auto end = count_.begin() + static_cast<std::ptrdiff_t>(place) + 1;
  return std::accumulate(count_.begin(), end, std::size_t{0});
}

}  // namespace ptxmc
