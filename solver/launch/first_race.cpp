#include "solver/launch/first_race.hpp"

#include <algorithm>

#include "solver/meetings/ordered_accesses.hpp"

namespace ptxmc {

namespace {

std::size_t index(EventId id) { return static_cast<std::size_t>(id); }

/// Keeps the initial writes that a kept event may overlap.
void keep_initial_writes(const EventStructure& structure, std::vector<bool>& kept) {
  std::vector<const Event*> accesses;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i] && structure.events[i].is_memory_access()) accesses.push_back(&structure.events[i]);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Event& initial = structure.events[i];
    if (initial.kind == EventKind::initial_write)
      kept[i] = std::ranges::any_of(accesses, [&](const Event* access) {
        return access->may_touch(initial.location.to_u64(), initial.size);
      });
  }
}

LaunchPart part(const EventStructure& structure, const BarrierSchedule& schedule,
                const std::vector<bool>& kept) {
  std::vector<EventId> numbers(kept.size(), -1);
  EventId next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i]) numbers[i] = next++;
  LaunchPart result;
  result.structure.program = structure.program;
  result.structure.endings = structure.endings;
  result.structure.final_registers = structure.final_registers;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    Event event = structure.events[i];
    if (event.rmw >= 0) event.rmw = numbers[index(event.rmw)];
    for (auto* reads : {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies}) {
      for (EventId& read : *reads) read = numbers[index(read)];
      std::erase(*reads, -1);
    }
    result.structure.events.push_back(std::move(event));
    result.schedule.push_back(schedule[i]);
  }
  return result;
}

}  // namespace

std::optional<LaunchPart> up_to_first_race(const EventStructure& structure, const BarrierSchedule& schedule) {
  const BarrierOrder order(structure, schedule);
  // The order does not say what precedes an asynchronous operation.
  const auto is_asynchronous = [](const Event& event) { return event.strand != 0; };
  if (std::ranges::any_of(structure.events, is_asynchronous)) return std::nullopt;
  const auto pair = OrderedAccesses(structure, order).first_unordered();
  if (!pair) return std::nullopt;
  std::vector<bool> kept(structure.events.size(), false);
  for (EventId id = 0; id < static_cast<EventId>(kept.size()); ++id)
    kept[index(id)] = structure.events[index(id)].thread != Event::no_thread &&
                      (order.is_needed_by(id, pair->first) || order.is_needed_by(id, pair->second));
  keep_initial_writes(structure, kept);
  return part(structure, schedule, kept);
}

}  // namespace ptxmc
