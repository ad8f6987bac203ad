#include "solver/explorer/explored_structure.hpp"

#include <algorithm>
#include <map>

#include "model/program/barriers.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

namespace {

/// Whether all threads of its group arrive equally often at each barrier of a meeting.
bool meet_equally_often(const EventStructure& structure, const std::vector<EventId>& meeting) {
  std::map<int, int> arrivals;
  for (const EventId id : meeting) ++arrivals[structure.events[static_cast<std::size_t>(id)].thread];
  const Event& first = structure.events[static_cast<std::size_t>(meeting.front())];
  for (const std::vector<int>& unit : units_of(*structure.program, first))
    for (const int thread : unit)
      if (!arrivals.contains(thread)) return false;
  return std::ranges::all_of(arrivals,
                             [&](const auto& arrival) { return arrival.second == arrivals.begin()->second; });
}

/// The schedule of all executions, if it is known that there is one, in which all threads pass all barriers.
/// Schedules count by warp, and await all threads of a group until they exit. A litmus test awaits a thread
/// only where it may arrive. So they say the same where all threads arrive equally often, without a count.
std::optional<BarrierSchedule> only_schedule(const EventStructure& structure) {
  if (!has_barriers(structure) || has_counted_barriers(structure)) return std::nullopt;
  const auto meetings = barrier_meetings(structure);
  const auto is_equal = [&](const auto& meeting) { return meet_equally_often(structure, meeting); };
  if (!std::ranges::all_of(meetings, is_equal)) return std::nullopt;
  auto schedules = barrier_schedules(structure);
  if (!schedules || schedules->size() != 1) return std::nullopt;
  for (const auto& meeting : meetings)
    for (const EventId id : meeting)
      if (schedules->front()[static_cast<std::size_t>(id)] < 0) return std::nullopt;
  return std::move(schedules->front());
}

std::optional<EventStructure> scheduled(const EventStructure& structure,
                                        const std::optional<BarrierSchedule>& schedule) {
  if (!schedule) return std::nullopt;
  return under_schedule(structure, *schedule);
}

}  // namespace

ExploredStructure::ExploredStructure(const EventStructure& structure)
    : given_(structure),
      schedule_(only_schedule(structure)),
      scheduled_(scheduled(structure, schedule_)),
      barriers_(events(), schedule_) {
  if (!schedule_) counted_.emplace(structure, barriers_);
}

}  // namespace ptxmc
