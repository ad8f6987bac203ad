#include "solver/launch/structure_part.hpp"

#include <algorithm>

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

}  // namespace

StructurePart part_of(const EventStructure& structure, std::vector<bool> kept) {
  keep_initial_writes(structure, kept);
  StructurePart result;
  auto& [part, numbers] = result;
  numbers.assign(kept.size(), -1);
  EventId next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i]) numbers[i] = next++;
  part.program = structure.program;
  part.endings = structure.endings;
  part.final_registers = structure.final_registers;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    Event event = structure.events[i];
    if (event.rmw >= 0) event.rmw = numbers[index(event.rmw)];
    for (auto* reads : {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies}) {
      for (EventId& read : *reads) read = numbers[index(read)];
      std::erase(*reads, -1);
    }
    part.events.push_back(std::move(event));
  }
  return result;
}

BarrierPhases phases_of_part(const BarrierPhases& phases, const std::vector<EventId>& numbers) {
  BarrierPhases result;
  result.is_in_order = true;
  result.constraints = phases.constraints;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < 0) continue;
    result.complete.push_back(phases.complete[i]);
    auto& row = result.meet.rows.emplace_back();
    for (const auto& [other, meets] : phases.meet.rows[i])
      if (numbers[index(other)] >= 0) row.push_back({numbers[index(other)], meets});
  }
  return result;
}

}  // namespace ptxmc
