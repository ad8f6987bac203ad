#include "solver/launch/interleavings.hpp"

#include <limits>
#include <set>

#include "model/judge/unordered_accesses.hpp"
#include "solver/launch/launch_prefix.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/meetings/certain_barriers.hpp"

namespace ptxmc {

namespace {

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
    if (numbers[index(read)] >= 0 && numbers[index(write)] >= 0)
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

/// The first event of the turns that does not happen in another structure, with the same unknowns.
std::optional<EventId> first_that_differs(const TakenTurns& turns, const EventStructure& structure) {
  Substitution values = turns.values;
  std::optional<EventId> first;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (const std::size_t moment = turns.moment[index(id)];
        moment != 0 && (!first || moment < turns.moment[index(*first)]) &&
        !values.apply(structure.events[index(id)].condition).is_true())
      first = id;
  return first;
}

/// The events of the instruction of a use; or those of a thread that ends with an undefined use.
std::vector<EventId> events_up_to(const Execution& execution, int thread, std::optional<unsigned> step) {
  std::vector<EventId> result;
  for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id)
    if (const Event& event = execution.events[index(id)];
        event.thread == thread && (!step || event.step == *step))
      result.push_back(id);
  return result;
}

/// The smallest part of an interleaving with an undefined use of an mbarrier, which ends with it. Such a use
/// reads what is no object, or its thread does not continue in the structure as it did in the turns. Empty if
/// there is no undefined use.
std::optional<Interleaving> up_to_undefined_use(TakenTurns turns, const EventStructure& structure,
                                                const BarrierSchedule& schedule) {
  const std::optional<EventId> use = turns.undefined_use, other = first_that_differs(turns, structure);
  if (!use && !other) return std::nullopt;
  const std::size_t end = other ? turns.moment[index(*other)] : std::numeric_limits<std::size_t>::max();
  const Event& last = structure.events[index(use ? *use : *other)];
  std::set<int> open;  // phases of barriers that are not complete when the turns end
  for (std::size_t id = 0; id < schedule.size(); ++id)
    if (const Event& event = structure.events[id];
        event.kind == EventKind::barrier && turns.moment[id] == 0 && !event.condition.is_false())
      open.insert(schedule[id]);
  Interleaving whole = interleaving_of(std::move(turns), structure, schedule);
  Execution& execution = whole.witness.execution;
  if (!use && !execution.undefined_uses.contains(last.thread)) return std::nullopt;
  for (int& phase : execution.barrier_phase)
    if (open.contains(phase)) phase = -1;
  Prefix part =
      up_to(execution, events_up_to(execution, last.thread, use ? std::optional(last.step) : std::nullopt));
  Interleaving result;
  result.is_undefined = true;
  result.moments.resize(part.execution.events.size());
  for (std::size_t id = 0; id < part.numbers.size(); ++id) {
    if (part.numbers[id] < 0) continue;
    if (whole.moments[id] == 0 || whole.moments[id] >= end) return std::nullopt;
    result.moments[index(part.numbers[id])] = whole.moments[id];
  }
  result.witness = {std::move(part.execution), std::move(whole.witness.values), whole.witness.numbers};
  for (EventId& number : result.witness.numbers)
    if (number >= 0) number = part.numbers[index(number)];
  return result;
}

}  // namespace

std::optional<Interleaving> interleaving_in_turns(const EventStructure& structure,
                                                  const BarrierSchedule& schedule, const AwaitedPolls& polls,
                                                  const ChosenInputs& inputs, Turn turn,
                                                  const std::set<EventId>& held) {
  auto turns = take_turns(structure, schedule, polls, inputs, turn, held);
  if (!turns || !turns->blocked.empty() || turns->undefined_use) return std::nullopt;
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

/// The only schedule of the barriers. Where some barrier is never passed, the phases that barriers have in
/// every execution.
static std::optional<BarrierSchedule> only_schedule(const EventStructure& structure) {
  if (auto schedules = barrier_schedules(structure))
    return schedules->size() == 1 ? std::optional(std::move(schedules->front())) : std::nullopt;
  BarrierSchedule common = with_common_phases(structure).schedule;
  for (std::size_t id = 0; id < common.size(); ++id)
    if (const Event& event = structure.events[id];
        event.kind == EventKind::barrier && !event.condition.is_false() && common[id] < 0)
      return std::nullopt;
  return common;
}

std::optional<TurnsWithWaits> take_turns_with_waits(const MbarrierWaits& waits, const ChosenInputs& inputs,
                                                    Turn turn) {
  std::set<EventId> endless;
  for (std::size_t before = 0;; before = endless.size()) {
    const auto decided = waits.decided(endless);
    const auto schedule = decided ? only_schedule(*decided) : std::nullopt;
    if (!schedule) return std::nullopt;
    auto turns =
        take_turns(under_schedule(*decided, *schedule), *schedule, waits.awaited(endless), inputs, turn);
    if (!turns) return std::nullopt;
    if (turns->blocked.empty()) return TurnsWithWaits{*std::move(turns), *schedule};
    for (const EventId id : turns->blocked)
      if (const auto last = waits.last_poll(id)) endless.insert(*last);
    if (endless.size() == before) return std::nullopt;
  }
}

std::optional<std::pair<EventStructure, Interleaving>> interleaving_of_waits(const EventStructure& structure,
                                                                             const MbarrierWaits& waits,
                                                                             const ChosenInputs& inputs,
                                                                             Turn turn) {
  auto taken = take_turns_with_waits(waits, inputs, turn);
  if (!taken) return std::nullopt;
  auto& [turns, schedule] = *taken;
  EventStructure actual = under_schedule(structure, schedule);
  auto interleaving = !turns.undefined_use && happens_in(turns, actual)
                          ? interleaving_of(std::move(turns), actual, schedule)
                          : up_to_undefined_use(std::move(turns), actual, schedule);
  if (!interleaving) return std::nullopt;
  return std::pair(std::move(actual), *std::move(interleaving));
}

}  // namespace ptxmc
