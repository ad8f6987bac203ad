#include "solver/limits/event_limit.hpp"

#include <cmath>

#include "solver/limits/memory_limit.hpp"

namespace ptxmc {

/// The terms of an event, and its copies under several schedules of barriers, count too.
std::size_t most_unfolded_events(std::size_t wanted) {
  constexpr std::uint64_t bytes_of_event = 16'384;
  return wanted != 0 ? wanted : available_memory() / bytes_of_event;
}

std::size_t most_related_events(std::size_t wanted, std::uint64_t memory_bytes) {
  constexpr std::uint64_t bytes_of_pair = 160, without_limit = 4'000'000'000;
  if (wanted != 0) return wanted;
  const std::uint64_t pairs = (memory_bytes != 0 ? memory_bytes : without_limit) / bytes_of_pair;
  return static_cast<std::size_t>(std::sqrt(static_cast<double>(pairs)));
}

std::size_t most_searched_events(std::size_t wanted, std::uint64_t memory_bytes) {
  return wanted != 0 ? wanted : 2 * most_related_events(0, memory_bytes);
}

}  // namespace ptxmc
