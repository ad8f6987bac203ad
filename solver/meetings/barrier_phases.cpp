#include "solver/meetings/barrier_phases.hpp"

#include <algorithm>
#include <bit>

#include "model/program/program_order.hpp"
#include "semantics/language/barrier_phase.hpp"
#include "semantics/language/misuse.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_counts.hpp"
#include "solver/meetings/uncounted_barriers.hpp"
#include "solver/meetings/warp_arrivals.hpp"

namespace ptxmc {
namespace {

/// The phases of the events of one meeting: barrier_matching.hpp.
class MeetingPhases {
 public:
  MeetingPhases(const EventStructure& structure, TermGraph& graph, const std::vector<EventId>& events,
                BarrierPhases& phases)
      : structure_(structure),
        graph_(graph),
        arrivals_(structure.program->arrivals),
        events_(events),
        phase_(events.size()),
        phases_(phases) {}

  /// `diverges`, by event, is empty if threads (and not warps) arrive.
  void choose(const std::vector<Bits>& diverges) {
    const bool by_warp = arrivals_ == Arrivals::by_warp;
    for (const UncountedArrival& arrival : uncounted_arrivals(structure_, events_, diverges)) take(arrival);
    for (std::size_t i = 0; i < events_.size(); ++i)
      if (event(i).barrier.count && !by_warp) phase_[i] = chosen_phase(i);
    if (by_warp) choose_warp_phases(structure_, graph_, diverges, events_, phase_, phases_);
  }

  /// Constrains the choices to be consistent. Call it when the phases of all meetings are chosen.
  void constrain() {
    if (arrivals_ == Arrivals::by_thread) constrain_counts();
    relate();
    put_in_order();
  }

  /// Takes the phases from a given list, by event.
  void take(const std::vector<int>& known) {
    are_known_ = true;
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
    return are_at_one_barrier_together(event(i), event(j));
  }

  /// Phases of barriers with and without a count are numbers of different widths, and are never compared.
  Bits together(std::size_t i, std::size_t j) const {
    const Bits same = are_known_ ? event(i).condition & event(j).condition : same_barrier(i, j);
    if (same.is_false()) return same;
    return same & complete(i) & complete(j) & equal(phase_[i], phase_[j]);
  }

  // --- Without a thread count: all participants are awaited --------------------------------------------

  void take(const UncountedArrival& arrival) {
    const auto place = std::ranges::find(events_, arrival.event) - events_.begin();
    phase_[static_cast<std::size_t>(place)] = arrival.number;
    const Event& own = structure_.events[static_cast<std::size_t>(arrival.event)];
    Bits& complete = phases_.complete[static_cast<std::size_t>(arrival.event)];
    complete = own.goes_on.width() == 0 ? own.condition : own.condition & own.goes_on;
    for (const UncountedArrival::Absent& absent : arrival.absent) {
      phases_.exits.push_back({arrival.event, absent.thread, complete & absent.has_exited});
      for (const EventId other : absent.elsewhere)
        phases_.elsewhere.push_back({arrival.event, other, complete & absent.is_elsewhere});
    }
    if (own.goes_on.width() != 0 && waits_at_barrier(own))
      phases_.constraints.push_back(implies(own.condition, equal(own.goes_on, arrival.goes_on())));
  }

  // --- With a thread count, in litmus tests: unknowns choose the arrivals of a phase -------------------

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

  /// Whether the thread reaches the event, since no earlier phase with a count stays incomplete; width 1. (If
  /// threads may wait for ever, the condition of the event includes this.)
  Bits is_reached(std::size_t i) const {
    Bits result = event(i).condition;
    for (const Event& before : structure_.events)
      if (is_earlier_instruction(before, event(i)) && before.kind == EventKind::barrier &&
          before.barrier.count && before.goes_on.width() == 0 && waits_at_barrier(before))
        result =
            result & implies(before.condition,
                             phases_.complete[static_cast<std::size_t>(&before - structure_.events.data())]);
    return result;
  }

  void constrain_counts() {
    const auto is_counted = [&](EventId id) { return structure_.events[id].barrier.count.has_value(); };
    if (std::ranges::none_of(events_, is_counted)) return;
    for (std::size_t i = 0; i < events_.size(); ++i) reached_.push_back(is_reached(i));
    for (std::size_t i = 0; i < events_.size(); ++i)
      if (event(i).barrier.count) constrain_count(i);
  }

  /// A phase with a count is complete with exactly this number of arrivals; the arrivals without a complete
  /// phase are fewer. A thread passes phases in order, and waits for the end of one before the next.
  void constrain_count(std::size_t i) {
    constexpr unsigned width = 32;
    const Bits needed = event(i).barrier.count->resize_unsigned(width);
    Bits arrived(width, 1), left(width, 1);
    for (std::size_t j = 0; j < events_.size(); ++j) {
      if (i == j) continue;
      if (arrives_at_barrier(event(j))) arrived = arrived + together(i, j).zero_extend(width);
      left = left + (same_barrier(i, j) & ~complete(j) & reached_[j]).zero_extend(width);
      if (event(j).barrier.count)
        phases_.constraints.push_back(
            implies(together(i, j), equal(needed, event(j).barrier.count->resize_unsigned(width))));
      if (!is_earlier_instruction(event(i), event(j))) continue;
      const Bits order = waits_at_barrier(event(i)) ? less_unsigned(phase_[i], phase_[j])
                                                    : less_equal_unsigned(phase_[i], phase_[j]);
      phases_.constraints.push_back(implies(same_barrier(i, j) & complete(j), complete(i) & order));
    }
    phases_.constraints.push_back(implies(complete(i), equal(arrived, needed)));
    phases_.constraints.push_back(implies(reached_[i] & ~complete(i), less_unsigned(left, needed)));
  }

  // --- Consequences of phases --------------------------------------------------------------------------

  /// Adds the relation between events of one phase, and the results of reductions.
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

  /// A phase begins when the previous one has ended.
  void put_in_order() {
    for (std::size_t i = 0; i < events_.size(); ++i)
      for (std::size_t j = 0; j < events_.size(); ++j) {
        const Bits same = same_barrier(i, j);
        if (i == j || same.is_false()) continue;
        const Bits earlier = same & complete(i) & less_unsigned(phase_[i], phase_[j]);
        if (!earlier.is_false()) phases_.order.push_back({events_[i], events_[j], earlier});
      }
  }

  /// The result of a reduction over the predicates of all arrivals of the phase.
  void constrain_result(std::size_t i) {
    const Barrier::Kind kind = event(i).barrier.kind;
    if (!is_reduction(kind)) return;
    std::vector<Contribution> contributions{{event(i).barrier.predicate}};
    for (std::size_t j = 0; j < events_.size(); ++j)
      if (j != i && event(j).barrier.predicate.width() != 0)
        contributions.push_back({event(j).barrier.predicate, together(i, j)});
    phases_.constraints.push_back(
        implies(complete(i), equal(event(i).value, reduction(kind, contributions))));
  }

  const EventStructure& structure_;
  TermGraph& graph_;
  const Arrivals arrivals_;
  const std::vector<EventId>& events_;
  std::vector<Bits> phase_;
  BarrierPhases& phases_;
  std::vector<Bits> reached_;
  bool are_known_ = false;  // the phases are given: events with equal numbers meet, whatever their counts are
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

BarrierPhases choose_barrier_phases(const EventStructure& structure, TermGraph& graph) {
  const Arrivals arrivals = structure.program->arrivals;
  if (arrivals == Arrivals::by_warp)
    if (const auto counted = with_counts_of_all(structure)) return choose_barrier_phases(*counted, graph);
  BarrierPhases phases = no_phases(structure);
  const std::vector<Bits> diverges = divergence_by_event(structure);
  const auto meetings = barrier_meetings(structure);
  std::vector<MeetingPhases> of_meetings;
  for (const auto& events : meetings)
    of_meetings.emplace_back(structure, graph, events, phases).choose(diverges);
  for (MeetingPhases& phases_of_one : of_meetings) phases_of_one.constrain();
  return phases;
}

BarrierPhases known_barrier_phases(const EventStructure& structure, TermGraph& graph,
                                   const std::vector<int>& phase) {
  BarrierPhases phases = no_phases(structure);
  phases.is_in_order = true;
  for (const auto& events : barrier_meetings(structure))
    MeetingPhases(structure, graph, events, phases).take(phase);
  return phases;
}

}  // namespace ptxmc
