#include "src/generator/cycle_events.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "semantics/values/check.hpp"

namespace ptxmc::generator {

namespace {

using Kind = Edge::Kind;

std::size_t index_before(const Cycle& cycle, std::size_t i) { return (i + cycle.size() - 1) % cycle.size(); }
std::size_t index_behind(const Cycle& cycle, std::size_t i) { return (i + 1) % cycle.size(); }

/// Whether coherence edges lead from one write to another one or to itself.
bool is_followed_by(const Cycle& cycle, std::size_t write, std::size_t other) {
  for (std::size_t at = write;; at = index_behind(cycle, at)) {
    if (at == other) return true;
    if (cycle[at].edge.kind != Kind::coherence || index_behind(cycle, at) == write) return false;
  }
}

/// The write whose value a read has that precedes the write `target`: the source of its Rf edge, or the
/// latest write of its own thread to the same place, or what an earlier read of its thread reads; but no
/// write that follows the target. Empty: the initial value.
std::optional<std::size_t> source_before(const Cycle& cycle, std::size_t read, std::size_t target) {
  for (std::size_t at = read, steps = 0; steps < cycle.size(); ++steps) {
    const std::size_t earlier = index_before(cycle, at);
    const Edge& edge = cycle[earlier].edge;
    const bool is_earlier_access = !edge.is_external && !edge.changes_location;
    if (edge.kind != Kind::reads_from && !is_earlier_access) return std::nullopt;
    if (edge.from == Direction::write)
      return is_followed_by(cycle, target, earlier) ? std::nullopt : std::optional(earlier);
    at = earlier;
  }
  return std::nullopt;
}

/// The pairs of writes of which the first precedes the second in coherence order in the cycle's execution,
/// apart from those that are in program order only.
std::vector<std::pair<std::size_t, std::size_t>> coherence_of(const Cycle& cycle) {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (cycle[i].edge.kind == Kind::coherence) result.emplace_back(i, index_behind(cycle, i));
    if (cycle[i].edge.kind == Kind::from_read)
      if (const auto source = source_before(cycle, i, index_behind(cycle, i)))
        result.emplace_back(*source, index_behind(cycle, i));
  }
  return result;
}

std::vector<unsigned> locations_of(const Cycle& cycle, unsigned& count) {
  count = std::max(1U, static_cast<unsigned>(std::ranges::count_if(
                           cycle, [](const Step& step) { return step.edge.changes_location; })));
  std::vector<unsigned> result;
  unsigned location = 0;
  for (const Step& step : cycle) {
    result.push_back(location % count);
    location += step.edge.changes_location;
  }
  return result;
}

/// Gives the last write of a location the largest number, 1, 2, … by location.
void number_last(std::vector<CycleEvent>& events, std::size_t last, const std::vector<unsigned>& writes) {
  const unsigned number = std::exchange(events[last].value, writes[events[last].location]);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (i != last && events[i].location == events[last].location && events[i].value > number)
      --events[i].value;
}

}  // namespace

Cycle from_first_access(const Cycle& cycle) {
  const bool is_of_one_thread =
      std::ranges::none_of(cycle, [](const Step& step) { return step.edge.is_external; });
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Edge& last = cycle[index_before(cycle, i)].edge;
    if (is_of_one_thread ? !is_communication(last) : !last.is_external) continue;
    Cycle result = cycle;
    std::rotate(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(i), result.end());
    return result;
  }
  return cycle;
}

unsigned threads_of(const Cycle& cycle) {
  return std::max(1U, static_cast<unsigned>(std::ranges::count_if(
                          cycle, [](const Step& step) { return step.edge.is_external; })));
}

bool is_observable(const Cycle& cycle) {
  unsigned count = 0;
  const std::vector<unsigned> locations = locations_of(cycle, count);
  std::map<unsigned, std::size_t> last;
  for (const auto& [first, second] : coherence_of(cycle))
    if (const auto [known, is_new] = last.try_emplace(locations[second], second);
        !is_new && known->second != second)
      return false;
  return true;
}

CycleExecution execution_of(const Cycle& cycle) {
  ptxmc::check(is_observable(cycle), "a cycle whose execution no final state shows");
  CycleExecution result;
  const std::vector<unsigned> locations = locations_of(cycle, result.locations);
  std::vector<unsigned> writes(result.locations);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    CycleEvent& event = result.events.emplace_back();
    event.thread = result.threads;
    event.location = locations[i];
    if (cycle[i].edge.from == Direction::write) event.value = ++writes[event.location];
    result.threads += cycle[i].edge.is_external;
  }
  result.threads = threads_of(cycle);
  for (const auto& [_, last] : coherence_of(cycle)) number_last(result.events, last, writes);
  result.final_values.resize(result.locations);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Edge& edge = cycle[i].edge;
    if (edge.kind == Kind::reads_from) result.events[index_behind(cycle, i)].reads = result.events[i].value;
    if (edge.kind != Kind::from_read) continue;
    const auto source = source_before(cycle, i, index_behind(cycle, i));
    result.events[i].reads = source ? result.events[*source].value : 0;
  }
  for (const auto& [_, last] : coherence_of(cycle))
    result.final_values[locations[last]] = result.events[last].value;
  return result;
}

}  // namespace ptxmc::generator
