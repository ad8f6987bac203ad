#include "model/program/phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "model/program/barriers.hpp"
#include "model/program/misuses.hpp"
#include "semantics/language/barrier_phase.hpp"

namespace ptxmc {

namespace {

/// A barrier of the execution, and the units that may arrive at it.
struct BarrierObject {
  std::vector<std::vector<int>> units;
  std::map<int, std::size_t> unit_of;  ///< by thread
  std::set<int> phases;                ///< the phases of its events
};

/// A phase that may begin next.
struct Opening {
  std::size_t object;
  int phase;
};

class Replay {
 public:
  explicit Replay(const Execution& execution)
      : execution_(execution), program_(*execution.program), barriers_(program_.threads.size()) {
    for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id)
      if (event(id).kind == EventKind::barrier) add(id);
    for (const auto& [id, object] : object_of_)
      if (objects_[object].units.empty()) find_units(id);
    if (program_.arrivals == Arrivals::by_warp)
      for (const BarrierObject& object : objects_)
        for (const std::vector<int>& unit : object.units) find_diverging(object, unit);
  }

  std::vector<std::string> mistakes() {
    State state(program_.threads.size(), objects_.size());
    if (has_order(std::move(state)) || tried_ > most_tried) return {};
    return {reason_.empty() ? "the phases of barriers have no order" : reason_};
  }

 private:
  static constexpr int none = -1;
  static constexpr std::size_t most_tried = 2'000;

  /// The progress of the threads.
  struct State {
    State(std::size_t threads, std::size_t objects)
        : next(threads), has_arrived(threads), has_exited(threads), phase(objects), open(objects, none) {}
    std::vector<std::size_t> next;  // by thread: its next barrier
    std::vector<bool> has_arrived;  // by thread: it has arrived at that barrier
    std::vector<bool> has_exited;   // by thread
    std::vector<BarrierPhase> phase;
    std::vector<int> open;  // by object: the current phase
    std::set<int> complete, misused;
    std::map<int, std::vector<std::vector<Arrival>>> misuse;  // by open misused phase: arrivals of units
  };

  const Event& event(EventId id) const { return execution_.events[index(id)]; }
  int phase_of(EventId id) const { return execution_.barrier_phase[index(id)]; }
  std::size_t object_of(EventId id) const { return object_of_.at(id); }

  void add(EventId id) {
    const bool is_by_thread = program_.arrivals == Arrivals::by_thread;
    const auto [place, is_new] = names_.try_emplace(
        {name_of(program_, event(id)), is_by_thread && event(id).barrier.count}, objects_.size());
    if (is_new) objects_.emplace_back();
    object_of_[id] = place->second;
    barriers_[index(event(id).thread)].push_back(id);
    if (phase_of(id) == none) return;
    objects_[place->second].phases.insert(phase_of(id));
    if (arrives_at_barrier(event(id))) ++arrivals_[phase_of(id)];
    if (waits_at_barrier(event(id)) || phase_of(id) < none) awaited_.insert(phase_of(id));
  }

  /// Finds the units of the barrier of an event: all of the group, or the threads that arrive at it.
  void find_units(EventId id) {
    BarrierObject& object = objects_[object_of(id)];
    if (awaits_whole_group(program_, event(id))) {
      object.units = units_of(program_, event(id));
    } else {
      for (int thread = 0; thread < static_cast<int>(barriers_.size()); ++thread)
        if (std::ranges::any_of(barriers_[index(thread)], [&](EventId other) {
              return object_of(other) == object_of(id) && arrives_at_barrier(event(other));
            }))
          object.units.push_back({thread});
    }
    for (std::size_t unit = 0; unit < object.units.size(); ++unit)
      for (const int thread : object.units[unit]) object.unit_of[thread] = unit;
  }

  /// Finds the first arrival of a warp, outside of all phases, at which its threads diverge. It does not
  /// count, and so neither do the later arrivals of the warp at this barrier.
  void find_diverging(const BarrierObject& object, const std::vector<int>& unit) {
    std::vector<std::vector<EventId>> arrivals;  // by number of the arrival
    for (const int thread : unit) {
      std::size_t number = 0;
      for (const EventId id : barriers_[index(thread)])
        if (&objects_[object_of(id)] == &object && arrives_at_barrier(event(id))) {
          arrivals.resize(std::max(arrivals.size(), ++number));
          arrivals[number - 1].push_back(id);
        }
    }
    const auto diverges = [&](EventId id) {
      const auto absentee = divergence_at(execution_, id);
      return absentee && absentee->barrier >= 0;
    };
    std::size_t first = arrivals.size();
    while (first > 0 &&
           std::ranges::all_of(arrivals[first - 1], [&](EventId id) { return phase_of(id) == none; }))
      --first;
    while (first < arrivals.size() && std::ranges::none_of(arrivals[first], diverges)) ++first;
    for (; first < arrivals.size(); ++first)
      diverging_.insert(arrivals[first].begin(), arrivals[first].end());
  }

  std::optional<Ending::Kind> ending(int thread) const {
    return execution_.endings.empty() ? std::nullopt : execution_.endings[index(thread)];
  }

  bool are_endings_known() const {
    return !execution_.endings.empty() &&
           std::ranges::all_of(execution_.endings, [](const auto& ending) { return ending.has_value(); });
  }

  bool is_past_all(const State& state, int thread) const {
    return state.next[index(thread)] == barriers_[index(thread)].size();
  }

  /// A thread may have exited if its ending is unknown.
  Participants participants(const State& state, std::size_t object) const {
    return {.units = objects_[object].units,
            .weight = program_.arrivals == Arrivals::by_thread ? 1 : lanes_per_warp,
            .has_left = [&state, this](int thread) {
              return state.has_exited[index(thread)] || (!ending(thread) && is_past_all(state, thread));
            }};
  }

  /// Whether an arrival or the exit of the thread makes its unit whole. A thread whose ending is unknown is
  /// still awaited here: the execution may end before it arrives.
  bool makes_whole(const State& state, std::size_t object, std::size_t unit, int thread) const {
    const Participants all{.units = objects_[object].units,
                           .has_left = [&state](int other) { return state.has_exited[index(other)]; }};
    return state.phase[object].is_whole(unit, all, std::span(&thread, 1));
  }

  /// Performs all steps without a choice, then tries each phase that may begin, and each early arrival.
  /// Returns whether all phases complete in some order.
  bool has_order(State state) {
    std::vector<Opening> choices;
    std::vector<EventId> early;
    for (;;) {
      if (!advance(state)) return false;
      choices = openings(state);
      early = early_arrivals(state);
      const auto only = std::ranges::find_if(choices, [&](const Opening& opening) {
        return (choices.size() == 1 && early.empty()) || left_of(state, opening.object) == 1;
      });
      if (only == choices.end()) break;
      open(state, *only);
    }
    if (choices.empty() && is_end(state)) return true;
    const auto has_order_after = [&](const auto& step) {
      if (++tried_ > most_tried) return false;
      State with = state;
      step(with);
      return has_order(std::move(with));
    };
    return std::ranges::any_of(choices,
                               [&](const Opening& opening) {
                                 return has_order_after([&](State& with) { open(with, opening); });
                               }) ||
           std::ranges::any_of(
               early, [&](EventId id) { return has_order_after([&](State& with) { arrive(with, id); }); });
  }

  void open(State& state, const Opening& opening) {
    state.open[opening.object] = opening.phase;
    fill(state, opening.object);
  }

  std::ptrdiff_t left_of(const State& state, std::size_t object) const {
    return std::ranges::count_if(objects_[object].phases,
                                 [&](int phase) { return !has_ended(state, phase); });
  }

  static bool has_ended(const State& state, int phase) {
    return state.complete.contains(phase) || state.misused.contains(phase);
  }

  /// Performs steps without a choice. Returns false if there is an error.
  bool advance(State& state) {
    for (bool any = true; any && reason_here_.empty();) {
      any = false;
      for (int thread = 0; thread < static_cast<int>(barriers_.size()); ++thread)
        while (reason_here_.empty() && take_step(state, thread)) any = true;
    }
    const std::string reason = std::exchange(reason_here_, {});
    if (reason_.empty()) reason_ = reason;
    return reason.empty();
  }

  bool take_step(State& state, int thread) {
    if (is_past_all(state, thread)) return exit(state, thread);
    const EventId id = barriers_[index(thread)][state.next[index(thread)]];
    bool any = false;
    if (arrives_at_barrier(event(id)) && !state.has_arrived[index(thread)]) {
      if (!may_arrive(state, id)) return false;
      arrive(state, id);
      any = true;
    }
    if (waits_at_barrier(event(id)) && !state.complete.contains(phase_of(id))) return any;
    ++state.next[index(thread)];
    state.has_arrived[index(thread)] = false;
    return true;
  }

  /// Whether a thread may arrive: the arrival makes no unit whole, or it belongs to the current phase. If the
  /// previous arrival of the thread does not count yet, this one is early.
  bool may_arrive(const State& state, EventId id) const {
    const std::size_t object = object_of(id);
    const int thread = event(id).thread;
    if (diverging_.contains(id) || (phase_of(id) == none && left_of(state, object) == 0)) return true;
    if (is_early(state, id)) return false;
    if (state.open[object] == phase_of(id) && phase_of(id) != none) return true;
    return !makes_whole(state, object, objects_[object].unit_of.at(thread), thread);
  }

  /// Whether a previous arrival of the thread still waits for other threads of the unit, which usually arrive
  /// or exit first: § 9.7.13.1, a barrier "causes the executing thread to wait for all non-exited threads
  /// from its warp". If they never do, the thread goes on nevertheless.
  bool is_early(const State& state, EventId id) const {
    const std::size_t object = object_of(id);
    const int thread = event(id).thread;
    const auto there = state.phase[object].gathered(objects_[object].unit_of.at(thread));
    return std::ranges::find(there, thread, &Arrival::thread) != there.end();
  }

  std::vector<EventId> early_arrivals(const State& state) const {
    std::vector<EventId> result;
    for (int thread = 0; thread < static_cast<int>(barriers_.size()); ++thread) {
      if (is_past_all(state, thread) || state.has_arrived[index(thread)]) continue;
      const EventId id = barriers_[index(thread)][state.next[index(thread)]];
      if (arrives_at_barrier(event(id)) && is_early(state, id)) result.push_back(id);
    }
    return result;
  }

  void arrive(State& state, EventId id) {
    const std::size_t object = object_of(id);
    const Event& own = event(id);
    state.has_arrived[index(own.thread)] = true;
    if (diverging_.contains(id)) return;
    Arrival arrival = {.thread = own.thread, .use = use_of(own.barrier), .event = id};
    if (own.barrier.count) arrival.count = own.barrier.count->resize_unsigned(32).to_u64();
    state.phase[object].arrive(objects_[object].unit_of.at(own.thread), std::move(arrival));
    fill(state, object);
  }

  /// The phase of the arrivals that count when the thread exits, if it is not the current one.
  std::optional<Opening> awaited_by_exit(const State& state, std::size_t object, int thread) const {
    const auto unit = objects_[object].unit_of.find(thread);
    if (unit == objects_[object].unit_of.end() || left_of(state, object) == 0) return std::nullopt;
    const std::span<const Arrival> there = state.phase[object].gathered(unit->second);
    if (there.empty() || !makes_whole(state, object, unit->second, thread)) return std::nullopt;
    const int phase = phase_of(there.front().event);
    if (phase != none && phase == state.open[object]) return std::nullopt;
    return Opening{object, phase};
  }

  bool may_exit(const State& state, int thread) const {
    return is_past_all(state, thread) && !state.has_exited[index(thread)] &&
           ending(thread) == Ending::Kind::completed;
  }

  /// Lets a thread exit, so that it is no longer awaited. The phase of the earlier arrivals of its warp must
  /// have begun before.
  bool exit(State& state, int thread) {
    if (!may_exit(state, thread)) return false;
    for (std::size_t object = 0; object < objects_.size(); ++object)
      if (awaited_by_exit(state, object, thread)) return false;
    state.has_exited[index(thread)] = true;
    for (std::size_t object = 0; object < objects_.size(); ++object) fill(state, object);
    return true;
  }

  /// Counts arrivals for the current phase; if there are no more phases, the remaining arrivals. No arrival
  /// counts after a misuse.
  void fill(State& state, std::size_t object) {
    while (state.open[object] != none || left_of(state, object) == 0) {
      if (std::ranges::any_of(objects_[object].phases,
                              [&](int phase) { return state.misused.contains(phase); }))
        return;
      if (state.open[object] < none) return fill_misused(state, object);
      const Participants all = participants(state, object);
      BarrierPhase& current = state.phase[object];
      if (current.is_misused(all)) return end_unmarked(state, object);
      if (current.is_complete(all)) {
        end_phase(state, object, current.end());
      } else if (const auto unit = next_unit(state, object)) {
        check_unit(current.count(*unit, all));
      } else {
        return;
      }
    }
  }

  /// A unit that is whole and belongs to the current phase; if there are no more phases, any that is whole.
  std::optional<std::size_t> next_unit(const State& state, std::size_t object) const {
    const std::vector<std::size_t> whole = state.phase[object].whole_units(participants(state, object));
    const auto found = std::ranges::find_if(whole, [&](std::size_t unit) {
      const int phase = phase_of(state.phase[object].gathered(unit).front().event);
      return state.open[object] == none || phase == state.open[object];
    });
    return found == whole.end() ? std::nullopt : std::optional(*found);
  }

  /// A phase is misused, but the execution does not say so. In a litmus test the arrivals do not meet.
  void end_unmarked(State& state, std::size_t object) {
    const std::span<const Arrival> members = state.phase[object].members();
    const int phase = std::exchange(state.open[object], none);
    if (phase == none &&
        (program_.arrivals == Arrivals::by_thread || !are_endings_known() || may_diverge(object, members)))
      return;
    refuse(fmt::format("events {} and {} meet with different thread counts", members.front().event,
                       members.back().event));
  }

  /// Counts the arrivals of a misused phase; the last one, or an exit, misuses it.
  void fill_misused(State& state, std::size_t object) {
    const Participants all = participants(state, object);
    BarrierPhase& current = state.phase[object];
    const int phase = state.open[object];
    auto& counted = state.misuse[phase];
    while (const auto unit = next_unit(state, object)) counted.push_back(current.count(*unit, all));
    const std::vector<Arrival> members(current.members().begin(), current.members().end());
    if (members.size() < arrivals_.at(phase) || !check_members(phase, members)) return;
    if (!current.is_misused(all)) return;
    if (!is_misused_at_last(object, counted))
      return refuse(fmt::format("the phase of event {} ends before its misuse", members.front().event));
    state.open[object] = none;
    state.misused.insert(phase);
  }

  /// Whether the arrivals of units, in some order, do not end or misuse the phase before the last one of
  /// them, or before an exit.
  bool is_misused_at_last(std::size_t object, std::span<const std::vector<Arrival>> counted) const {
    const Participants all{.units = objects_[object].units, .has_left = [](int) { return false; }};
    const auto unit_of = [&](std::size_t i) {
      return objects_[object].unit_of.at(counted[i].front().thread);
    };
    const auto is_open_without = [&](std::size_t last) {
      BarrierPhase phase;
      for (std::size_t i = 0; i < counted.size(); ++i) {
        if (i == last) continue;
        if (i > last && last < counted.size() && unit_of(i) == unit_of(last)) return false;
        for (const Arrival& arrival : counted[i]) phase.arrive(unit_of(i), arrival);
        phase.count(unit_of(i), all);
      }
      return !phase.is_misused(all) && !phase.is_complete(all);
    };
    for (std::size_t last = 0; last <= counted.size(); ++last)
      if (is_open_without(last)) return true;
    return false;
  }

  /// Whether these are all arrivals of the phase.
  bool check_members(int phase, const std::vector<Arrival>& members) {
    const auto other = std::ranges::find_if(
        members, [&](const Arrival& arrival) { return phase_of(arrival.event) != phase; });
    if (other != members.end())
      refuse(fmt::format("event {} completes another phase than the one it is of", other->event));
    else if (phase != none && members.size() != arrivals_.at(phase))
      refuse(
          fmt::format("the phase of event {} is complete before all of its arrivals", members.front().event));
    else
      return true;
    return false;
  }

  /// The threads of a unit may arrive together.
  void check_unit(const std::vector<Arrival>& members) {
    for (const Arrival& own : members)
      for (const Arrival& other : members)
        if (own.event < other.event && phase_of(other.event) >= 0 &&
            misuse(UsePair::warp_arrival, own.use, &other.use))
          refuse(fmt::format("events {} and {} are one arrival, and their instructions exclude each other",
                             own.event, other.event));
  }

  /// Whether an arrival may not count because other threads of its warp are elsewhere (§ 9.7.13.1, .aligned),
  /// or at another form of the instruction.
  bool may_diverge(std::size_t object, std::span<const Arrival> members) const {
    const BarrierObject& barrier = objects_[object];
    const auto unit_of = [&](const Arrival& arrival) { return barrier.unit_of.at(arrival.thread); };
    return program_.arrivals == Arrivals::by_warp && std::ranges::any_of(members, [&](const Arrival& own) {
             return (own.use.is_aligned && barrier.units[unit_of(own)].size() > 1) ||
                    std::ranges::any_of(members, [&](const Arrival& other) {
                      return unit_of(own) == unit_of(other) &&
                             misuse(UsePair::warp_arrival, own.use, &other.use);
                    });
           });
  }

  void end_phase(State& state, std::size_t object, const std::vector<Arrival>& members) {
    const int phase = std::exchange(state.open[object], none);
    if (!check_members(phase, members)) return;
    if (phase < none) return refuse(fmt::format("the phase of event {} is complete", members.front().event));
    if (phase == none) {
      const auto waits = std::ranges::find_if(
          members, [](const Arrival& arrival) { return arrival.use.kind != Barrier::Kind::arrive; });
      if (waits != members.end() && !may_diverge(object, members) &&
          is_known_to_be_complete(waits->event, object))
        refuse(fmt::format("event {} waits for ever at a phase that is complete", waits->event));
      return;
    }
    state.complete.insert(phase);
  }

  /// Whether the phase is certainly complete, since no other thread can be awaited. In a litmus test, threads
  /// that could have arrived may be awaited; the execution does not show them.
  bool is_known_to_be_complete(EventId id, std::size_t object) const {
    if (!are_endings_known()) return false;
    if (awaits_whole_group(program_, event(id)) || event(id).barrier.count) return true;
    for (int thread = 0; thread < static_cast<int>(barriers_.size()); ++thread)
      if (!objects_[object].unit_of.contains(thread) && ending(thread) != Ending::Kind::completed)
        return false;
    return true;
  }

  void refuse(std::string reason) { reason_here_ = std::move(reason); }

  /// The phases that may begin: an arrival is ready, and their barrier has no current phase. A misused phase
  /// is the last one of its barrier.
  std::vector<Opening> openings(const State& state) const {
    std::vector<Opening> result;
    const auto add = [&](const Opening& opening) {
      const auto is_known = [&](const Opening& other) { return other.phase == opening.phase; };
      if (opening.phase != none && state.open[opening.object] == none && !has_ended(state, opening.phase) &&
          (opening.phase > none || left_of(state, opening.object) == 1) &&
          std::ranges::none_of(result, is_known))
        result.push_back(opening);
    };
    for (std::size_t object = 0; object < objects_.size(); ++object)
      for (std::size_t unit = 0; unit < objects_[object].units.size(); ++unit)
        if (state.phase[object].is_whole(unit, participants(state, object)))
          add({object, phase_of(state.phase[object].gathered(unit).front().event)});
    for (int thread = 0; thread < static_cast<int>(barriers_.size()); ++thread) {
      if (may_exit(state, thread)) {
        for (std::size_t object = 0; object < objects_.size(); ++object)
          if (const auto opening = awaited_by_exit(state, object, thread)) add(*opening);
      } else if (!is_past_all(state, thread) && !state.has_arrived[index(thread)]) {
        const EventId id = barriers_[index(thread)][state.next[index(thread)]];
        if (arrives_at_barrier(event(id))) add({object_of(id), phase_of(id)});
      }
    }
    return result;
  }

  /// Called when no step is possible. Returns whether all phases that must end have ended.
  bool is_end(const State& state) {
    const auto left = std::ranges::find_if(awaited_, [&](int phase) { return !has_ended(state, phase); });
    if (left == awaited_.end()) return true;
    const auto member = std::ranges::find(execution_.barrier_phase, *left);
    if (reason_.empty())
      reason_ = fmt::format("the phase of event {} never becomes complete",
                            member - execution_.barrier_phase.begin());
    return false;
  }

  const Execution& execution_;
  const Program& program_;
  std::vector<std::vector<EventId>> barriers_;  // by thread
  /// In a litmus test, barriers with and without a thread count are different.
  std::map<std::pair<BarrierName, bool>, std::size_t> names_;
  std::vector<BarrierObject> objects_;
  std::map<EventId, std::size_t> object_of_;
  std::set<EventId> diverging_;          // arrivals that do not count, since their warp diverges
  std::map<int, std::size_t> arrivals_;  // by phase
  std::set<int> awaited_;                // phases that some thread waits for, and misused phases
  std::size_t tried_ = 0;
  std::string reason_;       // the first error
  std::string reason_here_;  // … in the current order
};

}  // namespace

std::vector<std::string> malformed_phases(const Execution& execution) {
  if (execution.barrier_phase.empty()) return {};
  return Replay(execution).mistakes();
}

}  // namespace ptxmc
