#include "solver/meetings/barrier_schedules.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "solver/algebra/given.hpp"
#include "solver/meetings/barrier_counts.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/meetings/divergence.hpp"
#include "solver/meetings/settled_reads.hpp"

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
  plan.is_strict = plan.is_strict || !given(condition, all).is_true();
}

/// Whether threads of a warp may be at different aligned barriers, if all threads pass the barriers at which
/// they arrive.
bool some_warp_diverges(const EventStructure& structure, Substitution& passed) {
  return std::ranges::any_of(divergences(structure), [&](const Divergence& divergence) {
    return !passed.apply(divergence.elsewhere).is_false();
  });
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

/// A barrier: group, number of the group, id.
using Place = std::tuple<Barrier::Group, int, std::uint64_t>;

/// The n-th arrivals of a warp at a barrier with a count.
using WarpArrivalName = std::pair<int, std::size_t>;

struct CountedState {
  std::map<WarpArrivalName, std::vector<EventId>> there;  // arrivals that are not counted yet
  std::vector<EventId> pending;                           // the arrivals of the current phase
  std::uint64_t weight = 0;
  std::map<int, std::size_t> counted;  // by warp: the number of its counted arrivals
  std::set<int> waiting;               // warps that wait for the end of this phase
};

struct State {
  std::vector<std::size_t> next;  // by thread: its next barrier
  std::vector<bool> waits;        // by thread: at the barrier before that
  std::map<Place, CountedState> counted;
  BarrierSchedule phase;
  int phases = 0;
};

/// Enumerates the orders in which warps arrive at barriers with a count. Everything else is deterministic.
class Simulation {
 public:
  Simulation(const EventStructure& structure, std::vector<ThreadPlan> plans)
      : structure_(structure), plans_(std::move(plans)), warps_(threads_of_warps(*structure.program)) {
    for (std::size_t warp = 0; warp < warps_.size(); ++warp)
      for (const int thread : warps_[warp]) warp_of_[thread] = static_cast<int>(warp);
    for (const ThreadPlan& plan : plans_) {
      number_arrivals(plan);
      note_waits(plan);
      is_strict_ = is_strict_ || plan.is_strict || plan.may_exit;
    }
  }

  bool is_supported() const {
    std::map<Place, bool> has_count;
    for (const ThreadPlan& plan : plans_)
      for (const EventId id : plan.barriers) {
        const Event& barrier = event(id);
        if (barrier.barrier.count && is_strict_) return false;
        const std::uint64_t count = barrier.barrier.count ? barrier.barrier.count->to_u64() : 0;
        const bool is_counted = has_count.emplace(place_of(barrier), count != 0).first->second;
        if (is_counted != (count != 0) || count % lanes_per_warp != 0) return false;
      }
    return true;
  }

  std::optional<std::vector<BarrierSchedule>> run() {
    State start;
    start.next.assign(plans_.size(), 0);
    start.waits.assign(plans_.size(), false);
    start.phase.assign(structure_.events.size(), -1);
    explore(std::move(start));
    if (seen_.size() > most_states || mixes_counts_) return std::nullopt;
    // Waiting of lanes was assumed to be strict, and exits that depend on reads were ignored. If some barrier
    // is not passed, these assumptions may be wrong.
    const auto are_all_passed = [&](const BarrierSchedule& schedule) { return all_are_passed(schedule); };
    if (is_strict_ && !std::ranges::all_of(found_, are_all_passed)) return std::nullopt;
    return std::vector<BarrierSchedule>(found_.begin(), found_.end());
  }

 private:
  static constexpr std::size_t most_states = 2'000;

  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  int group_of(Barrier::Group group, int thread) const {
    return ptxmc::group_of(*structure_.program, group, thread);
  }

  Place place_of(const Event& event) const {
    const std::uint64_t id = event.barrier.group == Barrier::Group::cluster ? 0 : event.barrier.id.to_u64();
    return {event.barrier.group, group_of(event.barrier.group, event.thread), id};
  }

  /// Numbers the arrivals (or waits) of the thread at each barrier.
  void number_arrivals(const ThreadPlan& plan) {
    std::map<std::pair<Place, bool>, std::size_t> counts;
    for (const EventId id : plan.barriers)
      number_[id] = counts[{place_of(event(id)), arrives_at_barrier(event(id))}]++;
  }

  /// Records which arrivals of warps at barriers with a count wait.
  void note_waits(const ThreadPlan& plan) {
    for (const EventId id : plan.barriers) {
      if (!event(id).barrier.count) continue;
      std::vector<bool>& waits = waits_[place_of(event(id))][warp_of_.at(event(id).thread)];
      const std::size_t number = number_.at(id);
      waits.resize(std::max(waits.size(), number + 1));
      waits[number] = waits[number] || waits_at_barrier(event(id));
    }
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

  /// Advances every thread as far as possible without a choice.
  void advance(State& state) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t t = 0; t < plans_.size(); ++t)
        while (!state.waits[t] && state.next[t] < plans_[t].barriers.size() &&
               are_passed(state.phase, plans_[t].after[state.next[t]])) {
          arrive(state, t);
          changed = true;
        }
      for (std::size_t t = 0; t < plans_.size(); ++t)
        if (state.waits[t] && complete_uncounted(state, plans_[t].barriers[state.next[t] - 1]))
          changed = true;
    }
  }

  void arrive(State& state, std::size_t thread) const {
    const EventId id = plans_[thread].barriers[state.next[thread]++];
    state.waits[thread] = waits_at_barrier(event(id)) || event(id).barrier.count.has_value();
    if (event(id).barrier.count)
      state.counted[place_of(event(id))]
          .there[{warp_of_.at(static_cast<int>(thread)), number_.at(id)}]
          .push_back(id);
  }

  /// Completes the phase of an event at a barrier without a count if possible; then its threads continue.
  /// Returns whether it is complete.
  bool complete_uncounted(State& state, EventId id) const {
    const Event& barrier = event(id);
    if (barrier.barrier.count || state.phase[static_cast<std::size_t>(id)] >= 0) return false;
    std::vector<EventId> members;
    unsigned lane = 0;
    for (int thread = 0; thread < static_cast<int>(plans_.size()); ++thread) {
      if (group_of(barrier.barrier.group, thread) != group_of(barrier.barrier.group, barrier.thread))
        continue;
      const bool takes_part =
          barrier.barrier.group != Barrier::Group::warp || (barrier.barrier.id.to_u64() >> lane++ & 1) != 0;
      if (!takes_part) continue;
      bool has_arrived = false;
      const auto t = static_cast<std::size_t>(thread);
      for (std::size_t i = 0; i < state.next[t]; ++i) {
        const EventId other = plans_[t].barriers[i];
        if (place_of(event(other)) != place_of(barrier) || number_.at(other) != number_.at(id)) continue;
        has_arrived = has_arrived || arrives_at_barrier(event(other));
        members.push_back(other);
      }
      if (!has_arrived && !has_exited(state, thread)) return false;
    }
    release(state, members);
    return true;
  }

  void release(State& state, const std::vector<EventId>& members) const {
    for (const EventId member : members) {
      const auto thread = static_cast<std::size_t>(event(member).thread);
      int& phase = state.phase[static_cast<std::size_t>(member)];
      if (phase < 0) phase = state.phases;
      if (state.next[thread] > 0 && plans_[thread].barriers[state.next[thread] - 1] == member)
        state.waits[thread] = false;
    }
    ++state.phases;
  }

  /// Whether all threads of the warp that have not exited have arrived this often.
  bool is_whole(const State& state, const WarpArrivalName& name, const std::vector<EventId>& there) const {
    return std::ranges::all_of(warps_[static_cast<std::size_t>(name.first)], [&](int thread) {
      return has_exited(state, thread) ||
             std::ranges::any_of(there, [&](EventId id) { return event(id).thread == thread; });
    });
  }

  std::uint64_t needed_by(EventId id) const { return event(id).barrier.count->to_u64(); }

  /// The manual does not define a phase with different counts: § 9.7.13.1 requires one count for all
  /// arrivals.
  void count(State& state, const Place& place, const WarpArrivalName& name) {
    CountedState& barrier = state.counted[place];
    const auto& there = barrier.there[name];
    const std::uint64_t needed = needed_by(there.front());
    const auto is_other = [&](EventId id) { return needed_by(id) != needed; };
    mixes_counts_ = mixes_counts_ || std::ranges::any_of(there, is_other) ||
                    std::ranges::any_of(barrier.pending, is_other);
    barrier.pending.insert(barrier.pending.end(), there.begin(), there.end());
    for (const EventId id : there)
      if (is_at_arrive(state, static_cast<std::size_t>(event(id).thread), id))
        state.waits[static_cast<std::size_t>(event(id).thread)] = false;
    barrier.there.erase(name);
    const std::size_t number = barrier.counted[name.first]++;
    if (waits_.at(place).at(name.first)[number]) barrier.waiting.insert(name.first);
    barrier.weight += lanes_per_warp;
    if (barrier.weight < needed) return;
    release(state, barrier.pending);
    barrier.pending.clear();
    barrier.waiting.clear();
    barrier.weight = 0;
  }

  /// Whether all further arrivals that are possible in the current phase fit into it. Then the order of
  /// counting does not matter: the arrivals so far belong to this phase in every order.
  bool have_all_room(const Place& place, const CountedState& barrier, std::uint64_t needed) const {
    std::uint64_t weight = barrier.weight;
    for (const auto& [warp, waits] : waits_.at(place)) {
      if (barrier.waiting.contains(warp)) continue;
      const auto counted = barrier.counted.find(warp);
      for (std::size_t n = counted == barrier.counted.end() ? 0 : counted->second; n < waits.size(); ++n) {
        weight += lanes_per_warp;
        if (waits[n]) break;  // the warp continues in the next phase
      }
    }
    return weight <= needed;
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

  /// A key that is equal only for states with the same continuations and the same phases so far.
  static std::string key_of(const State& state) {
    std::string key;
    for (std::size_t t = 0; t < state.next.size(); ++t)
      key += std::to_string(state.next[t]) + (state.waits[t] ? "w" : " ");
    for (const int phase : canonical(state.phase)) key += std::to_string(phase) + ",";
    for (const auto& [place, barrier] : state.counted) {
      std::set<EventId> pending(barrier.pending.begin(), barrier.pending.end());
      for (const EventId id : pending) key += std::to_string(id) + "p";
    }
    return key;
  }

  /// Renumbers phases by their first events.
  static BarrierSchedule canonical(const BarrierSchedule& phase) {
    std::map<int, int> numbers;
    BarrierSchedule result;
    for (const int number : phase)
      result.push_back(
          number < 0 ? -1 : numbers.try_emplace(number, static_cast<int>(numbers.size())).first->second);
    return result;
  }

  /// An arrival of a whole warp that belongs to the same phase in every order; empty if there is none.
  std::optional<std::pair<Place, WarpArrivalName>> arrival_without_choice(const State& state) const {
    for (const auto& [place, barrier] : state.counted)
      for (const auto& [name, there] : barrier.there)
        if (is_first(barrier, name) && is_whole(state, name, there) &&
            have_all_room(place, barrier, needed_by(there.front())))
          return std::pair(place, name);
    return std::nullopt;
  }

  /// Whether the arrival is the next one of its warp, since the arrivals of a warp are counted in order.
  static bool is_first(const CountedState& barrier, const WarpArrivalName& name) {
    return barrier.there.lower_bound({name.first, 0})->first == name;
  }

  void explore(State state) {
    advance(state);
    while (const auto arrival = arrival_without_choice(state)) {
      count(state, arrival->first, arrival->second);
      advance(state);
    }
    if (seen_.size() > most_states || !seen_.insert(key_of(state)).second) return;
    bool is_end = true;
    for (const auto& [place, barrier] : state.counted) {
      for (const auto& [name, there] : barrier.there) {
        if (!is_first(barrier, name) || !is_whole(state, name, there)) continue;
        is_end = false;
        State after = state;
        count(after, place, name);
        explore(std::move(after));
      }
    }
    if (!is_end) return;
    if (pass_arrivals(state))
      explore(std::move(state));
    else
      found_.insert(canonical(state.phase));
  }

  const EventStructure& structure_;
  const std::vector<ThreadPlan> plans_;
  const std::vector<std::vector<int>> warps_;
  std::map<int, int> warp_of_;
  bool is_strict_ = false;
  bool mixes_counts_ = false;
  std::map<EventId, std::size_t> number_;
  std::map<Place, std::map<int, std::vector<bool>>> waits_;  // by warp and number of the arrival
  std::set<std::string> seen_;
  std::set<BarrierSchedule> found_;
};

}  // namespace

std::optional<std::vector<BarrierSchedule>> barrier_schedules(const EventStructure& structure) {
  if (const auto counted = with_counts_of_all(structure)) return barrier_schedules(*counted);
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
