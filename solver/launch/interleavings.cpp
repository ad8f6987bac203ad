#include "solver/launch/interleavings.hpp"

#include <set>

#include "model/judge/unordered_accesses.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

namespace {

std::size_t index(int id) { return static_cast<std::size_t>(id); }

/// The execution of the threads after their turns, with these events.
Interleaving interleaving_of(TakenTurns turns, const EventStructure& structure,
                             const BarrierSchedule& schedule) {
  Interleaving result;
  result.witness = happened(structure, turns.values);
  result.has_ended = turns.has_ended;
  result.is_stuck = turns.is_stuck;
  result.final_memory = std::move(turns.final_memory);
  Execution& execution = result.witness.execution;
  const auto& numbers = result.witness.numbers;
  for (const auto& [read, write, first, count] : turns.sources)
    execution.reads_from.push_back({numbers[index(read)], numbers[index(write)], first, count});
  result.moments.resize(execution.events.size());
  execution.barrier_phase.assign(execution.events.size(), -1);
  for (EventId id = 0; id < static_cast<EventId>(numbers.size()); ++id) {
    if (numbers[index(id)] < 0) continue;
    result.moments[index(numbers[index(id)])] = turns.moment[index(id)];
    if (structure.events[index(id)].kind == EventKind::barrier)
      execution.barrier_phase[index(numbers[index(id)])] = schedule[index(id)];
  }
  return result;
}

/// Whether the same events happen in another structure, with the same unknowns.
bool happens_in(const TakenTurns& turns, const EventStructure& structure) {
  Substitution values = turns.values;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (values.apply(structure.events[index(id)].condition).is_true() != (turns.moment[index(id)] != 0))
      return false;
  return true;
}

}  // namespace

std::optional<Interleaving> interleaving_in_turns(const EventStructure& structure,
                                                  const BarrierSchedule& schedule, const AwaitedPolls& polls,
                                                  const ChosenInputs& inputs, Turn turn,
                                                  const std::set<EventId>& held) {
  auto turns = take_turns(structure, schedule, polls, inputs, turn, held);
  if (!turns || !turns->blocked.empty()) return std::nullopt;
  return interleaving_of(*std::move(turns), structure, schedule);
}

std::set<EventId> first_of_races(const Interleaving& interleaving) {
  std::set<EventId> races;
  for (const auto& [first, second] : unordered_accesses(interleaving.witness.execution, interleaving.moments,
                                                        Synchronization::scoped, Races::all))
    races.insert(first);
  std::set<EventId> result;
  const auto& numbers = interleaving.witness.numbers;
  for (EventId id = 0; id < static_cast<EventId>(numbers.size()); ++id)
    if (races.contains(numbers[index(id)])) result.insert(id);
  return result;
}

std::optional<std::pair<EventStructure, Interleaving>> interleaving_of_waits(const EventStructure& structure,
                                                                             const MbarrierWaits& waits,
                                                                             const ChosenInputs& inputs,
                                                                             Turn turn) {
  std::set<EventId> endless;
  for (std::size_t before = 0;; before = endless.size()) {
    const auto decided = waits.decided(endless);
    const auto schedules = decided ? barrier_schedules(*decided) : std::nullopt;
    if (!schedules || schedules->size() != 1) return std::nullopt;
    const BarrierSchedule& schedule = schedules->front();
    auto turns =
        take_turns(under_schedule(*decided, schedule), schedule, waits.awaited(endless), inputs, turn);
    if (!turns) return std::nullopt;
    if (turns->blocked.empty()) {
      EventStructure actual = under_schedule(structure, schedule);
      if (!happens_in(*turns, actual)) return std::nullopt;
      Interleaving interleaving = interleaving_of(*std::move(turns), actual, schedule);
      return std::pair(std::move(actual), std::move(interleaving));
    }
    for (const EventId id : turns->blocked)
      if (const auto last = waits.last_poll(id)) endless.insert(*last);
    if (endless.size() == before) return std::nullopt;
  }
}

}  // namespace ptxmc
