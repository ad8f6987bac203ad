#include "solver/meetings/chosen_phases.hpp"

#include <algorithm>

#include "model/program/execution.hpp"
#include "semantics/language/barrier_phase.hpp"
#include "semantics/language/misuse.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_counts.hpp"
#include "solver/meetings/counted_barriers.hpp"
#include "solver/meetings/uncounted_barriers.hpp"

namespace ptxmc {
namespace {

/// The phases of the events of one meeting: barrier_matching.hpp.
class MeetingPhases {
 public:
  MeetingPhases(const EventStructure& structure, const std::vector<EventId>& events, BarrierPhases& phases)
      : structure_(structure), events_(events), phase_(events.size()), phases_(phases) {}

  void choose(TermGraph& graph, const std::set<EventId>& names_all, const DivergentBarriers& divergent) {
    for (const UncountedArrival& arrival : uncounted_arrivals(structure_, events_, divergent)) take(arrival);
    counted_.emplace(structure_, graph, events_, names_all, divergent).choose(phase_, phases_);
  }

  /// Constrains the choices to be consistent. Call it when the phases of all meetings are chosen.
  void constrain() {
    if (counted_) counted_->constrain(phases_);
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
    for (std::size_t i = 0; i < events_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (known[events_[i]] <= last_misused_phase && known[events_[i]] == known[events_[j]])
          phases_.misused.push_back({events_[j], events_[i], event(i).condition & event(j).condition});
  }

 private:
  const Event& event(std::size_t i) const { return structure_.events[events_[i]]; }
  const Bits& complete(std::size_t i) const { return phases_.complete[events_[i]]; }

  Bits same_barrier(std::size_t i, std::size_t j) const {
    return are_at_one_barrier_together(event(i), event(j));
  }

  /// Phases of barriers with and without a count are numbers of different widths, and are never compared.
  Bits together(std::size_t i, std::size_t j) const {
    const Bits same = are_known_ ? event(i).condition & event(j).condition : same_barrier(i, j);
    if (same.is_false()) return same;
    return same & complete(i) & complete(j) & equal(phase_[i], phase_[j]);
  }

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

  /// A phase begins when the previous one has ended. An arrival of a warp happens with its last thread.
  void put_in_order() {
    for (std::size_t i = 0; i < events_.size(); ++i)
      for (std::size_t j = 0; j < events_.size(); ++j) {
        const Bits same = same_barrier(i, j);
        if (i == j || same.is_false()) continue;
        Bits is_later = less_unsigned(phase_[i], phase_[j]);
        if (event(j).barrier.count) is_later = (~complete(j) | is_later) & counted_->comes_last(j);
        const Bits earlier = same & complete(i) & is_later;
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
  const std::vector<EventId>& events_;
  std::vector<Bits> phase_;
  BarrierPhases& phases_;
  std::optional<CountedBarriers> counted_;
  bool are_known_ = false;  // the phases are given: events with equal numbers meet, whatever their counts are
};

BarrierPhases no_phases(const EventStructure& structure) {
  BarrierPhases phases;
  phases.meet = SymbolicRelation(structure.events.size());
  phases.complete.assign(structure.events.size(), Bits::boolean(false));
  phases.reads_behind = ReadsBehind(structure);
  return phases;
}

}  // namespace

BarrierPhases choose_barrier_phases(const EventStructure& given, TermGraph& graph) {
  const auto counted =
      given.program->arrivals == Arrivals::by_warp ? with_counts_of_all(given) : std::nullopt;
  const EventStructure& structure = counted ? counted->structure : given;
  const std::set<EventId> names_all = counted ? counted->names_all : std::set<EventId>();
  BarrierPhases phases = no_phases(structure);
  // Of the instructions as they are: one without a count is another form than one that counts all threads.
  const DivergentBarriers divergent = divergent_barriers_by_event(given);
  const auto meetings = barrier_meetings(structure);
  std::vector<MeetingPhases> of_meetings;
  for (const auto& events : meetings)
    of_meetings.emplace_back(structure, events, phases).choose(graph, names_all, divergent);
  for (MeetingPhases& phases_of_one : of_meetings) phases_of_one.constrain();
  // The arrivals of one misused phase are known by its first one: see read_phases in witness.cpp.
  std::ranges::sort(phases.misused, {}, [](const auto& pair) { return std::pair(pair.first, pair.second); });
  return phases;
}

BarrierPhases known_barrier_phases(const EventStructure& structure, const std::vector<int>& phase) {
  BarrierPhases phases = no_phases(structure);
  phases.is_in_order = true;
  for (const auto& events : barrier_meetings(structure)) MeetingPhases(structure, events, phases).take(phase);
  return phases;
}

}  // namespace ptxmc
