#include "solver/meetings/mbarrier_phases.hpp"

#include <algorithm>
#include <numeric>

#include "semantics/language/mbarrier_state.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/mbarrier_simulation.hpp"
#include "solver/unfolding/substitution.hpp"

// Why every execution has the phases of the simulation.
//
// Take an execution. `rf`, dependencies, and the order in which threads arrive at barriers and continue have
// no cycle together (§ 8.10.4), so its operations can be put in a sequence along them. All updates of an
// object are in this sequence in their coherence order, since each reads what the one before it has written
// (§ 9.7.13.15.6: they are atomic). Assume that the operations on mbarriers before some operation X all
// have the phases of the simulation, so that the order `BarrierOrder` of the operations before X is that of
// the execution. Let X use an object in phase k of the simulation.
//
// - The phase of the object is at least k when X is performed: all updates of phase k - 1 precede X in
//   causality order, or an update of phase k does, or the thread of X has seen phase k before (§ 8.10.5,
//   § 8.10.6). If X is an update, it suffices that all updates of phase k - 1 happen before X (MbarrierPast),
//   since X follows them in the sequence.
// - The phase is at most k. The object leaves phase k when its pending count and its tx-count are both zero.
//   All updates before X have their phases of the simulation, so this needs all arrivals of phase k that were
//   pending at its beginning, and then all others and all transactions of the phase: each increment and each
//   expect-tx precedes one of the former. If X is an update, one of these is X itself or follows X. If X
//   polls for the end of a wait, one of them follows X in causality order, or X happens before it, or phase k
//   never ends. (If such an update were before X in the sequence, then so were the waits through which X
//   happens before it. These have their phases of the simulation, and end after X.)
// - A poll may also be performed in phase k - 1. It then returns False, and the thread polls again.
//
// So X has the phase of the simulation, and by induction all operations do. Counts cannot be exceeded in any
// order of the updates of a phase, since their sums are in range.
//
// The updates of asynchronous operations are such operations X too: they depend on what their start depends
// on (§ 8.9.1.1). An arrival of cp.async.mbarrier.arrive is not pending at the beginning of the phase unless
// it has .noinc: the instruction increments the pending count, and the arrival follows it (§ 9.7.13.15.15).

namespace ptxmc {

namespace {

std::uint64_t sum(const MbarrierPhase& phase, std::uint64_t MbarrierUpdate::*count) {
  return std::accumulate(
      phase.updates.begin(), phase.updates.end(), std::uint64_t{0},
      [&](std::uint64_t all, const MbarrierUpdate& update) { return all + update.*count; });
}

class Verification {
 public:
  Verification(const EventStructure& structure, const MbarrierSimulation& simulation,
               const MbarrierWaits& waits, const BarrierOrder& order)
      : structure_(structure), simulation_(simulation), waits_(waits), order_(order) {
    for (const auto& [read, passed] : simulation.passed)
      seen_[{at(read).thread, passed.object}].emplace_back(at(read).step, passed.phase);
    for (const MbarrierObject& object : simulation.objects)
      for (const MbarrierPhase& phase : object.phases)
        for (const MbarrierUpdate& update : phase.updates)
          if (update.increments > 0) increments_.emplace(instruction_of(update), &update);
  }

  bool holds() const {
    for (std::size_t number = 0; number < simulation_.objects.size(); ++number) {
      const MbarrierObject& object = simulation_.objects[number];
      if (!begins_after_others(number)) return false;
      for (unsigned k = 0; k < object.phases.size(); ++k) {
        TimeLimit::check();
        if (!has_valid_counts(object, k) || !are_in_phase(number, k)) return false;
      }
    }
    return std::ranges::all_of(waits_.polls(), [&](const MbarrierWaits::Poll& poll) {
      TimeLimit::check();
      return at(poll.read).condition.is_false() ||
             (is_in_life(poll.read) && (passes(poll) || never_passes(poll)));
    });
  }

 private:
  const Event& at(EventId id) const { return structure_.events[index(id)]; }

  // ---- counts ----

  /// Whether no order of the updates exceeds a count, and the phase ends after all updates or never.
  bool has_valid_counts(const MbarrierObject& object, unsigned k) const {
    const MbarrierPhase& phase = object.phases[k];
    const std::uint64_t increments = sum(phase, &MbarrierUpdate::increments),
                        all = sum(phase, &MbarrierUpdate::arrivals), arrivals = all - increments,
                        expects = sum(phase, &MbarrierUpdate::expects),
                        completes = sum(phase, &MbarrierUpdate::completes);
    if (all < increments || !are_increments_followed(phase) ||
        phase.pending + increments > largest_mbarrier_count)
      return false;
    if (arrivals > phase.pending || sum(phase, &MbarrierUpdate::drops) > phase.expected ||
        expects > largest_mbarrier_count || completes > largest_mbarrier_count)
      return false;
    if (k < object.last_phase()) return arrivals == phase.pending && expects == completes;
    return arrivals < phase.pending || completes < expects || phase.updates.empty();
  }

  std::pair<int, unsigned> instruction_of(const MbarrierUpdate& update) const {
    return {at(update.read).thread, at(update.read).step};
  }

  /// The increment of the pending count by which the arrival is not pending at the beginning of the phase.
  const MbarrierUpdate* increment_for(const MbarrierUpdate& update) const {
    const auto increment = increments_.find(instruction_of(update));
    return update.increments == 0 && increment != increments_.end() ? increment->second : nullptr;
  }

  bool is_pending_from_beginning(const MbarrierUpdate& update) const {
    return update.arrivals > 0 && increment_for(update) == nullptr;
  }

  /// Whether the arrival for each increment is in this phase too.
  bool are_increments_followed(const MbarrierPhase& phase) const {
    return std::ranges::all_of(phase.updates, [&](const MbarrierUpdate& update) {
      return update.increments == 0 ||
             std::ranges::count_if(phase.updates, [&](const MbarrierUpdate& other) {
               return increment_for(other) == &update && other.arrivals == update.increments;
             }) == 1;
    });
  }

  // ---- phases ----

  /// What certainly happens before an update: null if nothing is known.
  const MbarrierPast* past_of(EventId read) const {
    const auto past = simulation_.past.find(read);
    return past == simulation_.past.end() ? nullptr : past->second.get();
  }

  /// The phase that the thread of an event has seen in an object before, or that an update happens after.
  unsigned seen_phase(std::size_t object, EventId id) const {
    unsigned phase = 0;
    if (const MbarrierPast* past = past_of(id); past != nullptr && object < past->phases.size())
      phase = past->phases[object];
    if (const auto own = seen_.find({at(id).thread, object}); own != seen_.end())
      for (const auto& [step, seen] : own->second)
        if (step < at(id).step) phase = std::max(phase, seen);
    return phase;
  }

  /// The latest phase, up to `most`, in which the object is known to be when an event happens.
  unsigned known_phase(std::size_t number, EventId id, unsigned most) const {
    const auto& phases = simulation_.objects[number].phases;
    const unsigned seen = seen_phase(number, id);
    const auto precedes = [&](const MbarrierUpdate& update) { return order_.precedes(update.write, id); };
    unsigned phase = most;
    for (; phase > seen; --phase)
      if (std::ranges::any_of(phases[phase].updates, precedes) ||
          std::ranges::all_of(phases[phase - 1].updates, precedes))
        break;
    return phase;
  }

  /// Whether an object begins after the end of the object that was in its memory before, or at least after
  /// all operations on that one; `mbarrier.init` is then an undefined use that has no effect on their phases.
  bool begins_after_others(std::size_t number) const {
    const MbarrierObject& own = simulation_.objects[number];
    for (std::size_t before = number; before-- > 0;)
      if (const MbarrierObject& other = simulation_.objects[before]; other.location == own.location)
        return other.inval ? order_.precedes(*other.inval, own.init)
                           : are_operations_before(before, own.init);
    return true;
  }

  bool are_operations_before(std::size_t number, EventId id) const {
    const auto are_before = [&](const MbarrierPhase& phase) {
      return std::ranges::all_of(
          phase.updates, [&](const MbarrierUpdate& update) { return order_.precedes(update.write, id); });
    };
    return std::ranges::all_of(simulation_.objects[number].phases, are_before) &&
           std::ranges::none_of(simulation_.endless,
                                [&](const auto& poll) { return poll.second == number; }) &&
           std::ranges::all_of(simulation_.passed, [&](const auto& poll) {
             return poll.second.object != number || order_.precedes(poll.first, id);
           });
  }

  bool is_in_life(std::size_t number, EventId id) const {
    const MbarrierObject& object = simulation_.objects[number];
    return order_.precedes(object.init, id) && (!object.inval || order_.precedes(id, *object.inval));
  }

  bool is_in_life(EventId poll) const {
    const auto passed = simulation_.passed.find(poll);
    return is_in_life(
        passed == simulation_.passed.end() ? simulation_.endless.at(poll) : passed->second.object, poll);
  }

  /// Whether the updates of a phase are in this phase in every execution.
  bool are_in_phase(std::size_t number, unsigned k) const {
    const MbarrierObject& object = simulation_.objects[number];
    const auto& updates = object.phases[k].updates;
    const bool is_last = k == object.last_phase();
    return std::ranges::all_of(updates, [&](const MbarrierUpdate& update) {
      const auto follows = [&](const MbarrierUpdate& other) {
        return order_.precedes(update.read, other.write);
      };
      const auto is_following_arrival = [&](const MbarrierUpdate& other) {
        return is_pending_from_beginning(other) && follows(other);
      };
      const auto may_complete = [&](const MbarrierUpdate& other) {
        return &other != &update && (is_pending_from_beginning(other) || other.completes > 0) &&
               follows(other);
      };
      if (!is_in_life(number, update.read) || known_phase(number, update.read, k) != k) return false;
      if (update.arrivals == 0 && update.completes == 0 &&
          std::ranges::none_of(updates, is_following_arrival))
        return false;
      return is_last || !waits_.without_completion().contains(update.read) ||
             std::ranges::any_of(updates, may_complete);
    });
  }

  // ---- polls ----

  std::optional<bool> succeeds(const MbarrierWaits::Poll& poll, unsigned phase) const {
    return ptxmc::succeeds(poll, structure_, waits_, simulation_.phase_of, phase);
  }

  /// Whether the wait ends in this phase of its object in every execution.
  bool passes(const MbarrierWaits::Poll& poll) const {
    const auto passed = simulation_.passed.find(poll.read);
    if (passed == simulation_.passed.end()) return false;
    const auto [number, phase] = passed->second;
    const MbarrierObject& object = simulation_.objects[number];
    const unsigned known = known_phase(number, poll.read, phase);
    if (known + 1 < phase || (known < phase && succeeds(poll, known) != false)) return false;
    return has_recent_token(poll, phase) &&
           (phase == object.last_phase() || is_needed(object.phases[phase], poll.read));
  }

  /// Whether the phase cannot end before the poll returns True.
  bool is_needed(const MbarrierPhase& phase, EventId poll) const {
    return std::ranges::any_of(phase.updates, [&](const MbarrierUpdate& update) {
      return order_.precedes(poll, update.write) || happens_before(poll, update);
    });
  }

  bool happens_before(EventId poll, const MbarrierUpdate& update) const {
    const MbarrierPast* past = past_of(update.read);
    const std::size_t thread = index(at(poll).thread);
    return past != nullptr && thread < past->polls.size() && at(poll).step < past->polls[thread];
  }

  /// Whether the token of the wait, if it has one, is of the phase before.
  bool has_recent_token(const MbarrierWaits::Poll& poll, unsigned phase) const {
    if (poll.token.width() == 0) return true;
    const auto token = in_phases(mbarrier_state(poll.token).phase, structure_, waits_, simulation_.phase_of);
    return token && (phase - token->to_u64()) % (1u << MbarrierState::phase_width) == 1;
  }

  /// Whether the wait never ends in any execution.
  bool never_passes(const MbarrierWaits::Poll& poll) const {
    const auto endless = simulation_.endless.find(poll.read);
    if (endless == simulation_.endless.end()) return false;
    const unsigned last = simulation_.objects[endless->second].last_phase();
    return known_phase(endless->second, poll.read, last) == last && succeeds(poll, last) == false;
  }

  const EventStructure& structure_;
  const MbarrierSimulation& simulation_;
  const MbarrierWaits& waits_;
  const BarrierOrder& order_;
  std::map<std::pair<int, unsigned>, const MbarrierUpdate*> increments_;  // by thread and step
  /// By thread and object: the steps of passed polls, and the phases that they have seen.
  std::map<std::pair<int, std::size_t>, std::vector<std::pair<unsigned, unsigned>>> seen_;
};

/// The schedule of the barriers with the phases of the mbarriers.
BarrierSchedule with_phases(BarrierSchedule schedule, const MbarrierSimulation& simulation,
                            const MbarrierWaits& waits) {
  const auto most = std::ranges::max_element(schedule);
  int before_first = most == schedule.end() ? 0 : *most + 1;
  std::vector<int> first;  // by object: the number of the phase before the first one
  for (const MbarrierObject& object : simulation.objects) {
    first.push_back(before_first);
    schedule[index(object.init)] = before_first;
    if (object.inval) schedule[index(*object.inval)] = before_first;
    for (const MbarrierPhase& phase : object.phases) {
      ++before_first;
      for (const MbarrierUpdate& update : phase.updates)
        schedule[index(update.read)] = schedule[index(update.write)] = before_first;
    }
    ++before_first;
  }
  for (const MbarrierWaits::Poll& poll : waits.polls()) {
    if (const auto passed = simulation.passed.find(poll.read); passed != simulation.passed.end())
      schedule[index(poll.read)] = schedule[index(poll.success)] =
          first[passed->second.object] + static_cast<int>(passed->second.phase);
    if (const auto endless = simulation.endless.find(poll.read); endless != simulation.endless.end())
      schedule[index(poll.read)] =
          first[endless->second] + static_cast<int>(simulation.objects[endless->second].phases.size());
  }
  return schedule;
}

/// The events with the phases of the objects that updates and polls read.
EventStructure with_phases(const EventStructure& structure, const MbarrierSimulation& simulation) {
  Substitution known;
  for (const auto& [read, phase] : simulation.phase_of) {
    const Bits& word = structure.events[index(read)].value;
    known.set(word.term()->variable, word_in_phase(word, phase));
  }
  EventStructure result = structure;
  substitute(result, known);
  return result;
}

/// The schedules if the waits with these last polls never end. Adds the waits that block.
std::optional<std::vector<LaunchSchedule>> schedules_with(const MbarrierWaits& waits,
                                                          std::span<const Departure> departures,
                                                          std::set<EventId>& endless) {
  constexpr std::size_t few = 16;
  const auto decided = waits.decided(endless);
  const auto schedules = decided ? barrier_schedules(*decided) : std::nullopt;
  if (!schedules || schedules->size() > few) return std::nullopt;
  std::vector<LaunchSchedule> result;
  for (const BarrierSchedule& barriers : *schedules) {
    const EventStructure scheduled = under_schedule(*decided, barriers);
    const auto simulation = simulate_mbarriers(scheduled, barriers, waits, endless);
    if (!simulation) return std::nullopt;
    if (!simulation->blocked.empty()) {
      endless.insert(simulation->blocked.begin(), simulation->blocked.end());
      return schedules->size() == 1 ? std::optional(std::move(result)) : std::nullopt;
    }
    BarrierSchedule all = with_phases(barriers, *simulation, waits);
    const BarrierOrder order(scheduled, all);
    if (!Verification(scheduled, *simulation, waits, order).holds() ||
        !are_departures_idle(scheduled, departures, *simulation, order))
      return std::nullopt;
    result.push_back({with_phases(scheduled, *simulation), std::move(all), waits.awaited(endless)});
  }
  return result;
}

}  // namespace

std::optional<std::vector<LaunchSchedule>> mbarrier_schedules(const MbarrierWaits& waits,
                                                              std::span<const Departure> departures) {
  std::set<EventId> endless;
  for (std::size_t before = 0;; before = endless.size()) {
    auto result = schedules_with(waits, departures, endless);
    if (!result || endless.size() == before) return result;
  }
}

}  // namespace ptxmc
