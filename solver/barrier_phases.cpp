#include "solver/barrier_phases.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "solver/barrier_counts.hpp"
#include "solver/divergence.hpp"
#include "solver/time_limit.hpp"
#include "solver/warp_arrivals.hpp"

namespace ptxmc {
namespace {

/// The phases of the events of one meeting: barrier_matching.hpp.
class MeetingPhases {
 public:
  MeetingPhases(const EventStructure& structure, TermGraph& graph, Arrivals arrivals,
                const std::vector<EventId>& events, BarrierPhases& phases)
      : structure_(structure),
        graph_(graph),
        arrivals_(arrivals),
        events_(events),
        phase_(events.size()),
        phases_(phases) {}

  /// `diverges`, by event, is empty where threads arrive.
  void choose(const std::vector<Bits>& diverges) {
    const bool by_warp = arrivals_ == Arrivals::by_warp;
    for (std::size_t i = 0; i < events_.size(); ++i)
      if (!event(i).barrier.count)
        phase_[i] = phase_by_index(i);
      else if (!by_warp)
        phase_[i] = chosen_phase(i);
    if (by_warp) choose_warp_phases(structure_, graph_, diverges, events_, phase_, phases_);
    for (std::size_t i = 0; i < events_.size(); ++i)
      if (!event(i).barrier.count)
        constrain_waiting(i, diverges);
      else if (!by_warp)
        constrain_count(i);
    relate();
    put_in_order();
  }

  /// As these say, by event.
  void take(const std::vector<int>& known) {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const int phase = known[events_[i]];
      phase_[i] = Bits(32, static_cast<unsigned>(std::max(phase, 0)));
      phases_.complete[events_[i]] = event(i).condition & Bits::boolean(phase >= 0);
    }
    relate();
  }

 private:
  const Event& event(std::size_t i) const { return structure_.events[events_[i]]; }
  const Bits& complete(std::size_t i) const { return phases_.complete[events_[i]]; }

  unsigned phase_width() const { return std::bit_width(events_.size()) + 1; }

  Bits same_barrier(std::size_t i, std::size_t j) const {
    const bool both_counted = event(i).barrier.count.has_value() == event(j).barrier.count.has_value();
    if (!both_counted) return Bits::boolean(false);
    return event(i).condition & event(j).condition & equal(event(i).barrier.id, event(j).barrier.id);
  }

  /// Phases of barriers with and without a count are numbers of different widths, and never compared.
  Bits together(std::size_t i, std::size_t j) const {
    const Bits same = same_barrier(i, j);
    if (same.is_false()) return same;
    return same & complete(i) & complete(j) & equal(phase_[i], phase_[j]);
  }

  bool is_before_in_thread(std::size_t i, std::size_t j) const {
    return event(i).thread == event(j).thread && event(i).step < event(j).step;
  }

  // --- Without a thread count: all are waited for -------------------------------------------------------

  /// How often the thread has arrived (waited, if that is what it does) at this barrier before.
  Bits phase_by_index(std::size_t i) {
    const Bits& goes_on = event(i).goes_on;
    phases_.complete[events_[i]] = goes_on.width() == 0 ? event(i).condition : event(i).condition & goes_on;
    Bits index(phase_width(), 0);
    for (std::size_t j = 0; j < events_.size(); ++j)
      if (is_before_in_thread(j, i) && arrives_at_barrier(event(j)) == arrives_at_barrier(event(i)))
        index = index + same_barrier(j, i).zero_extend(phase_width());
    return index;
  }

  /// In a launch, a barrier without a count waits for all of its group.
  std::set<int> others_of_group(std::size_t i) const {
    const Program& program = *structure_.program;
    std::set<int> result;
    const Barrier& barrier = event(i).barrier;
    const int group = group_of(program, barrier.group, event(i).thread);
    unsigned lane = 0;
    for (int thread = 0; thread < static_cast<int>(program.threads.size()); ++thread) {
      if (group_of(program, barrier.group, thread) != group) continue;
      if (barrier.group != Barrier::Group::warp || (barrier.id.to_u64() >> lane++ & 1) != 0)
        result.insert(thread);
    }
    result.erase(event(i).thread);
    return result;
  }

  /// By thread that a barrier without a count waits for: what may be its arrivals there. In a litmus test,
  /// those threads that have some.
  std::map<int, std::vector<std::size_t>> awaited_arrivals(std::size_t i) const {
    const bool by_warp = arrivals_ == Arrivals::by_warp;
    std::map<int, std::vector<std::size_t>> result;
    if (by_warp)
      for (const int thread : others_of_group(i)) result.try_emplace(thread);
    for (std::size_t j = 0; j < events_.size(); ++j)
      if (may_wait_for(event(i), event(j)) && (!by_warp || result.contains(event(j).thread)))
        result[event(j).thread].push_back(j);
    return result;
  }

  /// Without a count, a thread goes on exactly when each of the others has arrived, has come to barriers with
  /// other ids instead, or has exited.
  void constrain_waiting(std::size_t i, const std::vector<Bits>& diverges) {
    if (!waits_at_barrier(event(i))) return;
    Bits all = Bits::boolean(true);
    for (const auto& [thread, arrivals] : awaited_arrivals(i)) {
      Bits is_there = Bits::boolean(false);
      Bits is_elsewhere = Bits::boolean(!arrivals.empty());
      for (const std::size_t j : arrivals) {
        const Bits same = same_barrier(i, j);
        if (!same.is_false()) is_there = is_there | (same & equal(phase_[i], phase_[j]));
        is_elsewhere = is_elsewhere & event(j).condition & ~equal(event(i).barrier.id, event(j).barrier.id);
      }
      all = all & (is_there | is_elsewhere | has_exited(structure_, thread));
      phases_.exits.push_back({events_[i], thread, complete(i) & ~is_there & ~is_elsewhere});
      for (const std::size_t j : arrivals)
        phases_.elsewhere.push_back({events_[i], events_[j], complete(i) & is_elsewhere});
    }
    if (event(i).goes_on.width() == 0) return;
    if (!diverges.empty()) all = all & ~diverges[events_[i]];
    phases_.constraints.push_back(implies(event(i).condition, equal(event(i).goes_on, all)));
  }

  // --- With a thread count, where threads arrive: which of them fill a phase is chosen -------------------

  Bits chosen_phase(std::size_t i) {
    const Bits phase = graph_.variable(phase_width(), "phase");
    const Bits is_complete = event(i).goes_on.width() == 0 ? graph_.variable(1, "phase complete")
                                                           : event(i).condition & event(i).goes_on;
    phases_.complete[events_[i]] = is_complete;
    phases_.constraints.push_back(implies(is_complete, event(i).condition));
    phases_.constraints.push_back(less_unsigned(phase, Bits(phase_width(), events_.size())));
    if (waits_at_barrier(event(i))) phases_.all_complete.push_back(implies(event(i).condition, is_complete));
    return phase;
  }

  /// A phase with a count is complete with exactly so many arrivals; those that fill no phase are fewer. A
  /// thread goes through phases in order, and waits for the end of one before the next.
  void constrain_count(std::size_t i) {
    constexpr unsigned width = 32;
    const Bits needed = event(i).barrier.count->resize_unsigned(width);
    Bits arrived(width, 1), left(width, 1);
    for (std::size_t j = 0; j < events_.size(); ++j) {
      if (i == j) continue;
      if (arrives_at_barrier(event(j))) arrived = arrived + together(i, j).zero_extend(width);
      left = left + (same_barrier(i, j) & ~complete(j)).zero_extend(width);
      if (event(j).barrier.count)
        phases_.constraints.push_back(
            implies(together(i, j), equal(needed, event(j).barrier.count->resize_unsigned(width))));
      if (!is_before_in_thread(i, j)) continue;
      const Bits order = waits_at_barrier(event(i)) ? less_unsigned(phase_[i], phase_[j])
                                                    : less_equal_unsigned(phase_[i], phase_[j]);
      phases_.constraints.push_back(implies(same_barrier(i, j) & complete(j), complete(i) & order));
    }
    phases_.constraints.push_back(implies(complete(i), equal(arrived, needed)));
    phases_.constraints.push_back(implies(event(i).condition & ~complete(i), less_unsigned(left, needed)));
  }

  // --- What follows from phases ---------------------------------------------------------------------------

  /// Who meets whom, and what they get.
  void relate() {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      TimeLimit::check();
      constrain_result(i);
      for (std::size_t j = 0; j < events_.size(); ++j) {
        if (i == j) continue;
        const Bits meets = together(i, j);
        if (!meets.is_false()) phases_.meet.rows[events_[i]].push_back({events_[j], meets});
      }
    }
  }

  /// A phase begins when the one before has ended.
  void put_in_order() {
    for (std::size_t i = 0; i < events_.size(); ++i)
      for (std::size_t j = 0; j < events_.size(); ++j) {
        const Bits same = same_barrier(i, j);
        if (i == j || same.is_false()) continue;
        const Bits earlier = same & complete(i) & less_unsigned(phase_[i], phase_[j]);
        if (!earlier.is_false()) phases_.order.push_back({events_[i], events_[j], earlier});
      }
  }

  /// What a reduction gives: over the predicates of all arrivals of the phase.
  void constrain_result(std::size_t i) {
    using enum Barrier::Kind;
    const Barrier::Kind kind = event(i).barrier.kind;
    if (kind != reduce_popc && kind != reduce_and && kind != reduce_or) return;
    const unsigned width = event(i).value.width();
    const auto predicate = [&](std::size_t j) { return event(j).barrier.predicate; };
    Bits result = predicate(i).resize_unsigned(width);
    for (std::size_t j = 0; j < events_.size(); ++j) {
      if (j == i || predicate(j).width() == 0) continue;
      const Bits with = together(i, j);
      if (kind == reduce_popc) result = result + (with & predicate(j)).zero_extend(width);
      if (kind == reduce_and) result = result & (~with | predicate(j));
      if (kind == reduce_or) result = result | (with & predicate(j));
    }
    phases_.constraints.push_back(implies(complete(i), equal(event(i).value, result)));
  }

  const EventStructure& structure_;
  TermGraph& graph_;
  const Arrivals arrivals_;
  const std::vector<EventId>& events_;
  std::vector<Bits> phase_;
  BarrierPhases& phases_;
};

}  // namespace

Bits has_exited(const EventStructure& structure, int thread) {
  Bits result = Bits::boolean(false);
  for (const Ending& ending : structure.endings[thread])
    if (ending.kind == Ending::Kind::completed) result = result | ending.condition;
  return result;
}

namespace {

BarrierPhases no_phases(const EventStructure& structure) {
  BarrierPhases phases;
  phases.meet = SymbolicRelation(structure.events.size());
  phases.complete.assign(structure.events.size(), Bits::boolean(false));
  phases.reads_behind = ReadsBehind(structure);
  return phases;
}

}  // namespace

BarrierPhases choose_barrier_phases(const EventStructure& structure, TermGraph& graph, Arrivals arrivals) {
  if (arrivals == Arrivals::by_warp)
    if (const auto counted = with_counts_of_all(structure))
      return choose_barrier_phases(*counted, graph, arrivals);
  BarrierPhases phases = no_phases(structure);
  std::vector<Bits> diverges;  // by event, in a launch
  if (arrivals == Arrivals::by_warp) {
    diverges.assign(structure.events.size(), Bits::boolean(false));
    for (const Divergence& divergence : divergences(structure))
      diverges[divergence.barrier] = divergence.elsewhere;
  }
  for (const auto& events : barrier_meetings(structure))
    MeetingPhases(structure, graph, arrivals, events, phases).choose(diverges);
  return phases;
}

BarrierPhases known_barrier_phases(const EventStructure& structure, TermGraph& graph,
                                   const std::vector<int>& phase) {
  BarrierPhases phases = no_phases(structure);
  phases.is_in_order = true;
  for (const auto& events : barrier_meetings(structure))
    MeetingPhases(structure, graph, Arrivals::by_warp, events, phases).take(phase);
  return phases;
}

}  // namespace ptxmc
