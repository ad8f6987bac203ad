#include "solver/launch/structure_part.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace ptxmc {

namespace {

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

/// The unknowns in the events and endings.
std::set<VariableId> unknowns_of(const EventStructure& structure) {
  std::set<VariableId> result;
  const auto add = [&](const Bits& term) {
    if (term.width() == 0 || term.is_constant()) return;
    for (const VariableId unknown : variables_of(term)) result.insert(unknown);
  };
  for (const Event& event : structure.events)
    for (const Bits* term : {&event.condition, &event.location, &event.value, &event.goes_on}) add(*term);
  for (const auto& endings : structure.endings)
    for (const Ending& ending : endings) add(ending.condition);
  return result;
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
  part.copied = structure.copied;
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

BarrierPhases phases_of_part(const BarrierPhases& phases, const EventStructure& part,
                             const std::vector<EventId>& numbers) {
  BarrierPhases result;
  result.is_in_order = true;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < 0) continue;
    result.complete.push_back(phases.complete[i]);
    auto& row = result.meet.rows.emplace_back();
    for (const auto& [other, meets] : phases.meet.rows[i])
      if (numbers[index(other)] >= 0) row.push_back({numbers[index(other)], meets});
  }
  if (phases.constraints.empty()) return result;
  const std::set<VariableId> unknowns = unknowns_of(part);
  std::ranges::copy_if(
      phases.constraints, std::back_inserter(result.constraints), [&](const Bits& constraint) {
        return std::ranges::any_of(variables_of(constraint),
                                   [&](VariableId unknown) { return unknowns.contains(unknown); });
      });
  return result;
}

}  // namespace ptxmc
