#include "solver/meetings/barrier_schedules.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "model/program/execution.hpp"
#include "semantics/language/barrier_phase.hpp"
#include "solver/algebra/simplify_under.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/meetings/divergence.hpp"
#include "solver/unfolding/substitution.hpp"

namespace ptxmc {

namespace {

/// The barriers of a thread, as long as it passes all of them.
struct ThreadPlan {
  std::vector<EventId> barriers;
  bool exits = false;     // afterwards
  bool may_exit = false;  // afterwards, or an invalid access ends the launch; depends on reads
  /// By barrier, then for the exit: events of other threads that precede it because lanes wait for each
  /// other.
  std::vector<std::vector<EventId>> after;
  bool is_strict = false;  // it may happen without some of them
};

/// For each variable that says that a thread continues after a barrier, the event of the barrier.
using WaysOn = std::map<VariableId, EventId>;

/// Orders the next step of a thread after the barriers of other threads in its condition.
void add_order(const EventStructure& structure, const WaysOn& ways_on, int thread, const Bits& condition,
               ThreadPlan& plan) {
  if (condition.is_constant()) return;
  Bits all = Bits::boolean(true);
  for (const VariableId variable : variables_of(condition)) {
    const auto barrier = ways_on.find(variable);
    if (barrier == ways_on.end()) continue;
    const Event& event = structure.events[static_cast<std::size_t>(barrier->second)];
    if (event.thread == thread) continue;
    plan.after.back().push_back(barrier->second);
    all = all & event.goes_on;
  }
  plan.is_strict = plan.is_strict || !simplify_under(condition, all).is_true();
}

/// Whether threads of a warp may be at different aligned barriers, if all threads pass the barriers at which
/// they arrive. Few conditions are open then, and divergences compare all pairs of barriers of a warp.
bool some_warp_diverges(EventStructure structure, Substitution& passed) {
  for (Event& event : structure.events)
    if (event.kind == EventKind::barrier) event.condition = passed.apply(event.condition);
  return std::ranges::any_of(divergences(structure),
                             [](const Divergence& divergence) { return !divergence.elsewhere.is_false(); });
}

std::optional<std::vector<ThreadPlan>> plans_of(const EventStructure& structure) {
  Substitution passed;
  WaysOn ways_on;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Bits& goes_on = structure.events[static_cast<std::size_t>(id)].goes_on;
    if (goes_on.width() == 0 || goes_on.is_constant()) continue;
    passed.replace(goes_on, Bits::boolean(true));
    if (goes_on.term()->op == Operator::variable) ways_on.emplace(goes_on.term()->variable, id);
  }
  if (some_warp_diverges(structure, passed)) return std::nullopt;
  std::vector<ThreadPlan> plans(structure.program->threads.size());
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    if (event.kind != EventKind::barrier) continue;
    const Bits happens = passed.apply(event.condition);
    const bool has_known_place =
        event.barrier.group == Barrier::Group::cluster || event.barrier.id.is_constant();
    const bool has_known_count = !event.barrier.count || event.barrier.count->is_constant();
    if (!happens.is_constant() || !has_known_place || !has_known_count) return std::nullopt;
    if (!happens.is_true()) continue;
    ThreadPlan& plan = plans[static_cast<std::size_t>(event.thread)];
    plan.barriers.push_back(id);
    plan.after.emplace_back();
    add_order(structure, ways_on, event.thread, event.condition, plan);
  }
  for (std::size_t thread = 0; thread < plans.size(); ++thread) {
    plans[thread].after.emplace_back();
    for (const Ending& ending : structure.endings[thread]) {
      if (ending.kind != Ending::Kind::completed) continue;
      const Bits exits = passed.apply(ending.condition);
      plans[thread].exits = plans[thread].exits || exits.is_true();
      plans[thread].may_exit = plans[thread].may_exit || !exits.is_constant();
      add_order(structure, ways_on, static_cast<int>(thread), ending.condition, plans[thread]);
    }
  }
  return plans;
}

/// A barrier, and the units that may arrive at it.
struct BarrierObject {
  std::vector<std::vector<int>> units;
  std::map<int, std::size_t> unit_of;  // by thread
  struct Turn {
    bool waits = false;              // some thread waits
    std::set<std::uint64_t> counts;  // the thread counts of its threads
  };
  std::vector<std::vector<Turn>> turns;  // by unit, then number of its arrival
  bool has_counts = false;               // some arrival has a thread count
};

struct State {
  std::vector<std::size_t> next;                  // by thread: its next barrier
  std::vector<bool> waits;                        // by thread: at the barrier before that
  std::vector<BarrierPhase> current;              // by object
  std::vector<std::vector<std::size_t>> counted;  // by object and unit: the number of its counted arrivals
  BarrierSchedule phase;
  int phases = 0;
};

/// Enumerates the orders in which warps arrive at barriers with a count. Everything else is deterministic.
class Simulation {
 public:
  Simulation(const EventStructure& structure, std::vector<ThreadPlan> plans)
      : structure_(structure), plans_(std::move(plans)) {
    for (const ThreadPlan& plan : plans_) {
      for (const EventId id : plan.barriers) add(id);
      note_turns(plan);
      is_strict_ = is_strict_ || plan.is_strict || plan.may_exit;
    }
  }

  bool is_supported() const {
    return std::ranges::all_of(plans_, [&](const ThreadPlan& plan) {
      return std::ranges::all_of(plan.barriers, [&](EventId id) {
        const auto& count = event(id).barrier.count;
        return !count || (!is_strict_ && count->to_u64() % lanes_per_warp == 0);
      });
    });
  }

  std::optional<std::vector<BarrierSchedule>> run() {
    State start;
    start.next.assign(plans_.size(), 0);
    start.waits.assign(plans_.size(), false);
    start.current.resize(objects_.size());
    for (const BarrierObject& object : objects_) start.counted.emplace_back(object.units.size());
    start.phase.assign(structure_.events.size(), -1);
    explore(std::move(start));
    if (seen_.size() > most_states) return std::nullopt;
    // Waiting of lanes was assumed to be strict, and exits that depend on reads were ignored. If some barrier
    // is not passed, these assumptions may be wrong.
    const auto are_all_passed = [&](const BarrierSchedule& schedule) { return all_are_passed(schedule); };
    if (is_strict_ && !std::ranges::all_of(found_, are_all_passed)) return std::nullopt;
    return std::vector<BarrierSchedule>(found_.begin(), found_.end());
  }

 private:
  static constexpr std::size_t most_states = 2'000;

  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  // --- Barriers ----------------------------------------------------------------------------------------

  void add(EventId id) {
    const Event& own = event(id);
    const auto [place, is_new] = names_.try_emplace(name_of(*structure_.program, own), objects_.size());
    object_of_[id] = place->second;
    if (is_new) {
      BarrierObject& object = objects_.emplace_back();
      object.units = units_of(*structure_.program, own);
      for (std::size_t unit = 0; unit < object.units.size(); ++unit)
        for (const int thread : object.units[unit]) object.unit_of[thread] = unit;
      object.turns.resize(object.units.size());
    }
    BarrierObject& object = objects_[place->second];
    object.has_counts = object.has_counts || own.barrier.count.has_value();
  }

  /// Records the arrivals of units, and which arrival each `barrier.cluster.wait` waits for.
  void note_turns(const ThreadPlan& plan) {
    std::map<std::size_t, std::vector<EventId>> arrivals;  // by object
    for (const EventId id : plan.barriers) {
      const std::size_t number = object_of_.at(id);
      BarrierObject& object = objects_[number];
      std::vector<EventId>& before = arrivals[number];
      const auto unit = object.unit_of.find(event(id).thread);
      if (!arrives_at_barrier(event(id))) {
        if (!before.empty()) awaited_[id] = before.back();
      } else if (unit != object.unit_of.end()) {
        std::vector<BarrierObject::Turn>& turns = object.turns[unit->second];
        turns.resize(std::max(turns.size(), before.size() + 1));
        BarrierObject::Turn& turn = turns[before.size()];
        turn.waits = turn.waits || waits_at_barrier(event(id));
        turn.counts.insert(needed_by(object, count_of(id)));
        before.push_back(id);
      }
    }
  }

  Participants participants(const State& state, std::size_t object) const {
    return {.units = objects_[object].units,
            .has_left = [&state, this](int thread) { return has_exited(state, thread); }};
  }

  bool has_exited(const State& state, int thread) const {
    const auto t = static_cast<std::size_t>(thread);
    return plans_[t].exits && !state.waits[t] && state.next[t] == plans_[t].barriers.size() &&
           are_passed(state.phase, plans_[t].after.back());
  }

  static bool are_passed(const BarrierSchedule& phase, const std::vector<EventId>& barriers) {
    return std::ranges::all_of(barriers,
                               [&](EventId id) { return phase[static_cast<std::size_t>(id)] >= 0; });
  }

  bool all_are_passed(const BarrierSchedule& phase) const {
    return std::ranges::all_of(plans_,
                               [&](const ThreadPlan& plan) { return are_passed(phase, plan.barriers); });
  }

  // --- Steps -------------------------------------------------------------------------------------------

  /// Advances threads and barriers as far as possible without a choice.
  void advance(State& state) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t t = 0; t < plans_.size(); ++t) {
        while (!state.waits[t] && state.next[t] < plans_[t].barriers.size() &&
               are_passed(state.phase, plans_[t].after[state.next[t]])) {
          arrive(state, t);
          changed = true;
        }
        if (state.waits[t] && pass_wait(state, t)) changed = true;
      }
      for (std::size_t object = 0; object < objects_.size(); ++object)
        while (advance(state, object)) changed = true;
    }
  }

  /// A thread at `barrier.arrive` waits only for its warp.
  void arrive(State& state, std::size_t thread) const {
    const EventId id = plans_[thread].barriers[state.next[thread]++];
    const Event& own = event(id);
    state.waits[thread] = waits_at_barrier(own) || own.barrier.count.has_value();
    if (!arrives_at_barrier(own)) return;
    const std::size_t object = object_of_.at(id);
    const auto unit = objects_[object].unit_of.find(own.thread);
    if (unit == objects_[object].unit_of.end()) return;  // a lane outside the mask, which is undefined
    state.current[object].arrive(
        unit->second, {.thread = own.thread, .use = use_of(own.barrier), .count = count_of(id), .event = id});
  }

  /// Lets a thread pass `barrier.cluster.wait` if the phase of its arrival is complete.
  bool pass_wait(State& state, std::size_t thread) const {
    const EventId id = plans_[thread].barriers[state.next[thread] - 1];
    const auto arrival = awaited_.find(id);
    if (arrival == awaited_.end() || state.phase[static_cast<std::size_t>(arrival->second)] < 0) return false;
    state.phase[static_cast<std::size_t>(id)] = state.phase[static_cast<std::size_t>(arrival->second)];
    state.waits[thread] = false;
    return true;
  }

  /// Ends the phase of a barrier if it is complete, or counts a unit that belongs to the same phase in every
  /// order. Returns false if nothing changes.
  bool advance(State& state, std::size_t object) {
    const Participants all = participants(state, object);
    BarrierPhase& current = state.current[object];
    if (current.is_misused(all)) return false;
    if (current.is_complete(all)) {
      release(state, current.end());
      return true;
    }
    for (const std::size_t unit : current.whole_units(all)) {
      if (objects_[object].has_counts && !have_all_room(state, object, unit)) continue;
      count(state, object, unit);
      return true;
    }
    return false;
  }

  void count(State& state, std::size_t object, std::size_t unit) const {
    ++state.counted[object][unit];
    for (const Arrival& arrival : state.current[object].count(unit, participants(state, object)))
      if (is_at_arrive(state, static_cast<std::size_t>(arrival.thread), arrival.event))
        state.waits[static_cast<std::size_t>(arrival.thread)] = false;
  }

  void release(State& state, const std::vector<Arrival>& members) const {
    for (const Arrival& member : members) {
      const auto thread = static_cast<std::size_t>(member.thread);
      state.phase[static_cast<std::size_t>(member.event)] = state.phases;
      if (waits_at_barrier(event(member.event)) &&
          plans_[thread].barriers[state.next[thread] - 1] == member.event)
        state.waits[thread] = false;
    }
    ++state.phases;
  }

  /// Whether this `barrier.arrive` is the last event of the thread so far.
  bool is_at_arrive(const State& state, std::size_t thread, EventId id) const {
    return state.waits[thread] && !waits_at_barrier(event(id)) &&
           plans_[thread].barriers[state.next[thread] - 1] == id;
  }

  /// Lets threads continue that have executed a `barrier.arrive`. Such a thread waits only for its warp, so
  /// that arrivals of warps are counted in a possible order; if part of the warp never arrives, the others
  /// continue nevertheless. Returns whether there were such threads.
  bool pass_arrivals(State& state) const {
    bool any = false;
    for (std::size_t t = 0; t < plans_.size(); ++t)
      if (state.next[t] > 0 && is_at_arrive(state, t, plans_[t].barriers[state.next[t] - 1])) {
        state.waits[t] = false;
        any = true;
      }
    return any;
  }

  // --- Thread counts -----------------------------------------------------------------------------------

  std::optional<std::uint64_t> count_of(EventId id) const {
    const auto& count = event(id).barrier.count;
    return count ? std::optional(count->to_u64()) : std::nullopt;
  }

  /// The number of threads that the phase of an arrival needs: without a count, those of all warps.
  static std::uint64_t needed_by(const BarrierObject& object, std::optional<std::uint64_t> count) {
    return count.value_or(lanes_per_warp * object.units.size());
  }

  /// Gives the arrivals of misused phases their numbers.
  void mark_misused(State& state) const {
    for (std::size_t object = 0; object < objects_.size(); ++object)
      if (state.current[object].is_misused(participants(state, object)))
        for (const Arrival& member : state.current[object].members())
          state.phase[static_cast<std::size_t>(member.event)] = last_misused_phase - static_cast<int>(object);
  }

  /// Whether all further arrivals that are possible in the current phase fit into it, and use its count. Then
  /// the order of counting does not matter: the arrivals so far belong to this phase in every order.
  bool have_all_room(const State& state, std::size_t object, std::size_t next) const {
    const BarrierPhase& current = state.current[object];
    const std::uint64_t needed = needed_by(objects_[object], current.gathered(next).front().count);
    std::vector<bool> is_waiting(objects_[object].units.size());
    for (const Arrival& member : current.members())
      if (waits_at_barrier(event(member.event)))
        is_waiting[objects_[object].unit_of.at(member.thread)] = true;
    std::uint64_t threads = current.arrived();
    for (std::size_t unit = 0; unit < is_waiting.size(); ++unit) {
      const std::vector<BarrierObject::Turn>& turns = objects_[object].turns[unit];
      for (std::size_t n = state.counted[object][unit]; n < turns.size() && !is_waiting[unit]; ++n) {
        if (turns[n].counts != std::set{needed}) return false;
        threads += lanes_per_warp;
        is_waiting[unit] = turns[n].waits;  // the warp continues in the next phase
      }
    }
    return threads <= needed;
  }

  // --- Choices -----------------------------------------------------------------------------------------

  /// A key that is equal only for states with the same continuations and the same phases so far.
  static std::string key_of(const State& state) {
    std::string key;
    for (std::size_t t = 0; t < state.next.size(); ++t)
      key += std::to_string(state.next[t]) + (state.waits[t] ? "w" : " ");
    for (const int phase : canonical(state.phase)) key += std::to_string(phase) + ",";
    for (const BarrierPhase& current : state.current) {
      std::set<EventId> members;
      for (const Arrival& member : current.members()) members.insert(member.event);
      for (const EventId id : members) key += std::to_string(id) + "p";
    }
    return key;
  }

  /// Renumbers complete phases by their first events.
  static BarrierSchedule canonical(const BarrierSchedule& phase) {
    std::map<int, int> numbers;
    BarrierSchedule result;
    for (const int number : phase)
      result.push_back(
          number < 0 ? number : numbers.try_emplace(number, static_cast<int>(numbers.size())).first->second);
    return result;
  }

  void explore(State state) {
    advance(state);
    if (seen_.size() > most_states || !seen_.insert(key_of(state)).second) return;
    bool is_end = true;
    for (std::size_t object = 0; object < objects_.size(); ++object) {
      const Participants all = participants(state, object);
      if (state.current[object].is_misused(all)) continue;
      for (const std::size_t unit : state.current[object].whole_units(all)) {
        is_end = false;
        State after = state;
        count(after, object, unit);
        explore(std::move(after));
      }
    }
    if (!is_end) return;
    if (pass_arrivals(state)) return explore(std::move(state));
    mark_misused(state);
    found_.insert(canonical(state.phase));
  }

  const EventStructure& structure_;
  const std::vector<ThreadPlan> plans_;
  std::map<BarrierName, std::size_t> names_;
  std::vector<BarrierObject> objects_;
  std::map<EventId, std::size_t> object_of_;
  std::map<EventId, EventId> awaited_;  // by `barrier.cluster.wait`: the arrival before it
  bool is_strict_ = false;
  std::set<std::string> seen_;
  std::set<BarrierSchedule> found_;
};

}  // namespace

std::optional<std::vector<BarrierSchedule>> barrier_schedules(const EventStructure& structure) {
  auto plans = plans_of(structure);
  if (!plans) return std::nullopt;
  Simulation simulation(structure, std::move(*plans));
  if (!simulation.is_supported()) return std::nullopt;
  return simulation.run();
}

EventStructure under_schedule(const EventStructure& structure, const BarrierSchedule& schedule) {
  Substitution known;
  for (std::size_t i = 0; i < structure.events.size(); ++i)
    if (const Bits& goes_on = structure.events[i].goes_on; goes_on.width() != 0 && !goes_on.is_constant())
      known.replace(goes_on, Bits::boolean(schedule[i] >= 0));
  EventStructure result = structure;
  substitute(result, known);
  return result;
}

}  // namespace ptxmc
