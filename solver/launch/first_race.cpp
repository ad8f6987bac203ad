#include "solver/launch/first_race.hpp"

#include <algorithm>

#include "solver/launch/structure_part.hpp"
#include "solver/meetings/ordered_accesses.hpp"

namespace ptxmc {

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
  StructurePart part = part_of(structure, std::move(kept));
  part.structure.endings = structure.endings;
  part.structure.final_registers = structure.final_registers;
  BarrierSchedule own;
  for (std::size_t i = 0; i < schedule.size(); ++i)
    if (part.numbers[i] >= 0) own.push_back(schedule[i]);
  return LaunchPart{std::move(part.structure), std::move(own)};
}

}  // namespace ptxmc
