#include "solver/meetings/barrier_counts.hpp"

#include <algorithm>
#include <map>

#include "solver/algebra/simplify_under.hpp"
#include "solver/meetings/barrier_phases.hpp"
#include "solver/meetings/divergence.hpp"

namespace ptxmc {

namespace {

using Barriers = std::map<std::pair<int, std::uint64_t>, std::vector<EventId>>;  // by CTA and number

const Event& event_at(const EventStructure& structure, EventId id) {
  return structure.events[static_cast<std::size_t>(id)];
}

int cta_of(const EventStructure& structure, int thread) {
  return structure.program->threads[static_cast<std::size_t>(thread)].placement.cta;
}

/// The barriers of a launch whose numbers are all constants.
Barriers barriers_of(const EventStructure& structure) {
  Barriers result;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = event_at(structure, id);
    if (event.kind != EventKind::barrier || event.barrier.group != Barrier::Group::cta) continue;
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

/// Whether every thread of the CTA executes this barrier, equally often, before it exits.
bool come_all(const EventStructure& structure, int cta, const std::vector<EventId>& members) {
  std::map<int, std::size_t> arrivals;
  for (int thread = 0; thread < static_cast<int>(structure.program->threads.size()); ++thread)
    if (cta_of(structure, thread) == cta) arrivals[thread] = 0;
  for (const EventId id : members) {
    const Event& event = event_at(structure, id);
    ++arrivals[event.thread];
    if (!simplify_under(has_exited(structure, event.thread), event.condition).is_true()) return false;
  }
  return std::ranges::all_of(arrivals,
                             [&](const auto& thread) { return thread.second == arrivals.begin()->second; });
}

}  // namespace

std::optional<EventStructure> with_counts_of_all(const EventStructure& structure) {
  std::optional<EventStructure> result;
  for (const auto& [place, members] : barriers_of(structure)) {
    if (!is_mixed(structure, members)) continue;
    const std::uint64_t all = threads_of_warps_of(structure, place.first);
    const bool are_equal = std::ranges::all_of(members, [&](EventId id) {
      const auto& count = event_at(structure, id).barrier.count;
      return !count || (count->is_constant() && count->to_u64() == all);
    });
    if (!are_equal || !come_all(structure, place.first, members)) continue;
    if (!result) result = structure;
    for (const EventId id : members)
      result->events[static_cast<std::size_t>(id)].barrier.count = Bits(32, all);
  }
  return result;
}

}  // namespace ptxmc
