#include "solver/explorer/explored_arrivals.hpp"

#include <algorithm>
#include <map>

#include "model/relations/bit_matrix.hpp"

namespace ptxmc {

namespace {

/// By event, whether it happens.
std::vector<Bits> what_happens(const PartialExecution& execution) {
  std::vector<Bits> result;
  for (EventId id = 0; id < static_cast<EventId>(execution.events().size()); ++id)
    result.push_back(Bits::boolean(execution.state(id) == PartialExecution::State::present));
  return result;
}

/// Adds the absence of an awaited thread at a barrier without a count: all its arrivals are at barriers with
/// other ids, or it has exited.
void add_absence(const PartialExecution& execution, EventId barrier, int thread,
                 const std::vector<EventId>& arrivals, BarrierPhases& phases) {
  const auto is_elsewhere = [&](EventId id) {
    return execution.state(id) == PartialExecution::State::present &&
           !are_at_one_barrier(execution.events()[index(barrier)], execution.events()[index(id)]);
  };
  if (!std::ranges::all_of(arrivals, is_elsewhere)) {
    phases.exits.push_back({barrier, thread, Bits::boolean(true)});
    return;
  }
  for (const EventId id : arrivals) phases.elsewhere.push_back({barrier, id, Bits::boolean(true)});
}

/// Adds the phases of one meeting. With a thread count, arrivals without a complete phase come last.
void add_phases(const EventStructure& structure, const PartialExecution& execution,
                const OrderedPhases& known, BarrierPhases& phases) {
  const auto& [meeting, phase, may_come] = known;
  const auto& events = execution.events();
  for (std::size_t i = 0; i < meeting.size(); ++i) {
    const Event& own = events[index(meeting[i])];
    if (phase[i] < 0) continue;
    std::map<int, std::vector<EventId>> missing;
    if (waits_at_barrier(own) && !own.barrier.count)
      missing = awaited_arrivals(structure, may_come, meeting[i]);
    for (std::size_t j = 0; j < meeting.size(); ++j) {
      const Event& other = events[index(meeting[j])];
      if (i == j || !are_at_one_barrier(own, other)) continue;
      if (phase[j] == phase[i])
        phases.meet.rows[index(meeting[i])].push_back({meeting[j], Bits::boolean(true)});
      if (phase[j] == phase[i] && arrives_at_barrier(other)) missing.erase(other.thread);
      if (phase[j] > phase[i] || (phase[j] < 0 && other.barrier.count))
        phases.order.push_back({meeting[i], meeting[j], Bits::boolean(true)});
    }
    for (const auto& [thread, arrivals] : missing)
      add_absence(execution, meeting[i], thread, arrivals, phases);
  }
}

/// The sources of all read parts of memory.
ReadsFromChoices known_sources(const PartialExecution& execution) {
  ReadsFromChoices result;
  for (const PartialExecution::Part& part : execution.parts())
    if (part.is_active && part.source >= 0)
      result.choices.push_back({part.read, part.source, execution.atoms()[part.atom], Bits::boolean(true)});
  return result;
}

}  // namespace

bool come_about_in_order(const EventStructure& structure, const std::optional<ReadsBehind>& reads_behind,
                         const PartialExecution& execution, std::span<const OrderedPhases> known) {
  const std::vector<Bits> happens = what_happens(execution);
  BarrierPhases phases;
  phases.meet = SymbolicRelation(happens.size());
  for (const OrderedPhases& meeting : known) add_phases(structure, execution, meeting, phases);
  ArrivalOrder order(structure, happens, phases);
  if (reads_behind) order.add_reads(known_sources(execution), *reads_behind);
  BitMatrix before(order.relation().event_count());
  for (std::size_t from = 0; from < before.size(); ++from)
    for (const auto& [to, holds] : order.relation().rows[from])
      if (holds.is_true()) before.insert(from, index(to));
  return before.is_acyclic();
}

}  // namespace ptxmc
