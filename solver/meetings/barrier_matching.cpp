#include "solver/meetings/barrier_matching.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "model/program/program_order.hpp"
#include "semantics/language/barrier_phase.hpp"

namespace ptxmc {

bool are_at_one_barrier(const Event& a, const Event& b) {
  return a.barrier.count.has_value() == b.barrier.count.has_value() && identical(a.barrier.id, b.barrier.id);
}

bool has_barriers(const EventStructure& structure) {
  return std::ranges::any_of(structure.events, [](const Event& event) {
    return event.kind == EventKind::barrier && !event.condition.is_false();
  });
}

bool has_counted_barriers(const EventStructure& structure) {
  return std::ranges::any_of(structure.events, [](const Event& event) {
    return event.kind == EventKind::barrier && event.barrier.count && !event.condition.is_false();
  });
}

std::vector<std::vector<EventId>> barrier_meetings(const EventStructure& structure) {
  std::map<std::tuple<Barrier::Group, int, int, Barrier::Gathering>, std::vector<EventId>> meetings;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    if (event.kind != EventKind::barrier) continue;
    const int group = group_of(*structure.program, event.barrier.group, event.thread);
    const Barrier& barrier = event.barrier;
    meetings[{barrier.group, group, barrier.textual, barrier.gathering}].push_back(id);
  }
  std::vector<std::vector<EventId>> result;
  for (auto& [key, events] : meetings) result.push_back(std::move(events));
  return result;
}

bool may_wait_for(const Event& waiting, const Event& arrival) {
  return waiting.thread != arrival.thread && arrives_at_barrier(arrival) && !arrival.barrier.count &&
         !equal(waiting.barrier.id, arrival.barrier.id).is_false();
}

std::map<int, std::vector<EventId>> awaited_arrivals(const EventStructure& structure,
                                                     std::span<const EventId> meeting, EventId id) {
  const auto event = [&](EventId of) -> const Event& {
    return structure.events[static_cast<std::size_t>(of)];
  };
  std::map<int, std::vector<EventId>> result;
  for (const EventId other : meeting)
    if (may_wait_for(event(id), event(other))) result[event(other).thread].push_back(other);
  return result;
}

Bits reduction_result(std::span<const Event> events, EventId id, std::span<const EventId> met) {
  const auto event = [&](EventId of) -> const Event& { return events[static_cast<std::size_t>(of)]; };
  std::vector<Contribution> contributions{{event(id).barrier.predicate}};
  for (const EventId other : met)
    if (other != id && event(other).barrier.predicate.width() != 0)
      contributions.push_back({event(other).barrier.predicate});
  return reduction(event(id).barrier.kind, contributions);
}

}  // namespace ptxmc
