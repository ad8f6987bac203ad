#include "solver/meetings/barrier_counts.hpp"

#include <algorithm>
#include <map>

#include "model/program/barriers.hpp"

namespace ptxmc {

namespace {

using Barriers = std::map<std::pair<int, std::uint64_t>, std::vector<EventId>>;  // by CTA and number

const Event& event_at(const EventStructure& structure, EventId id) {
  return structure.events[static_cast<std::size_t>(id)];
}

int cta_of(const EventStructure& structure, int thread) {
  return structure.program->threads[static_cast<std::size_t>(thread)].placement.cta;
}

/// The barriers of a launch with their events that may happen, if all numbers of barriers are constants.
Barriers barriers_of(const EventStructure& structure) {
  Barriers result;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = event_at(structure, id);
    if (event.kind != EventKind::barrier || event.barrier.group != Barrier::Group::cta ||
        event.condition.is_false())
      continue;
    if (!event.barrier.id.is_constant()) return {};
    result[{cta_of(structure, event.thread), event.barrier.id.to_u64()}].push_back(id);
  }
  return result;
}

bool is_mixed(const EventStructure& structure, const std::vector<EventId>& members) {
  const auto is_counted = [&](EventId id) { return event_at(structure, id).barrier.count.has_value(); };
  return std::ranges::any_of(members, is_counted) && !std::ranges::all_of(members, is_counted);
}

/// The number of threads of all warps of a CTA, counted as full warps.
std::uint64_t threads_of_warps_of(const EventStructure& structure, int cta) {
  std::uint64_t threads = 0;
  for (const auto& warp : threads_of_warps(*structure.program))
    if (cta_of(structure, warp.front()) == cta) threads += lanes_per_warp;
  return threads;
}

}  // namespace

std::optional<GivenCounts> with_counts_of_all(const EventStructure& structure) {
  std::optional<GivenCounts> result;
  for (const auto& [place, members] : barriers_of(structure)) {
    if (!is_mixed(structure, members)) continue;
    if (!result) result = {structure, {}};
    for (const EventId id : members) {
      std::optional<Bits>& count = result->structure.events[static_cast<std::size_t>(id)].barrier.count;
      if (count) continue;
      count = Bits(32, threads_of_warps_of(structure, place.first));
      result->names_all.insert(id);
    }
  }
  return result;
}

}  // namespace ptxmc
