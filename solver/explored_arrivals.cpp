#include "solver/explored_arrivals.hpp"

#include "model/bit_matrix.hpp"

namespace ptxmc {

namespace {

std::size_t index(EventId id) { return static_cast<std::size_t>(id); }

/// The events with what is known of them.
std::vector<Event> known_events(const PartialExecution& execution) {
  std::vector<Event> events = execution.events();
  for (EventId id = 0; id < static_cast<EventId>(events.size()); ++id)
    events[index(id)].condition = Bits::boolean(execution.state(id) == PartialExecution::State::present);
  return events;
}

/// By thread, width 1: it has run to its end.
std::vector<Bits> known_exits(const EventStructure& structure, const PartialExecution& execution) {
  std::vector<Bits> exits;
  for (std::size_t thread = 0; thread < structure.endings.size(); ++thread)
    exits.push_back(Bits::boolean(execution.ending(thread) == Ending::Kind::completed));
  return exits;
}

/// Adds the phases of one meeting.
void add_phases(const EventStructure& structure, const std::vector<Event>& events, const OrderedPhases& known,
                BarrierPhases& phases) {
  const auto& [meeting, phase, may_come] = known;
  for (std::size_t i = 0; i < meeting.size(); ++i) {
    const Event& own = events[index(meeting[i])];
    const bool waits_for_all = waits_at_barrier(own) && !own.barrier.count;
    std::set<int> missing;
    if (waits_for_all) missing = other_users(structure, may_come, meeting[i]);
    for (std::size_t j = 0; j < meeting.size() && phase[i] >= 0; ++j) {
      const Event& other = events[index(meeting[j])];
      if (i == j || !are_at_one_barrier(own, other)) continue;
      if (phase[j] == phase[i])
        phases.meet.rows[index(meeting[i])].push_back({meeting[j], Bits::boolean(true)});
      if (phase[j] == phase[i] && arrives_at_barrier(other)) missing.erase(other.thread);
      if (phase[j] > phase[i]) phases.order.push_back({meeting[i], meeting[j], Bits::boolean(true)});
    }
    for (const int thread : missing) phases.absences.push_back({meeting[i], thread, Bits::boolean(true)});
  }
}

/// Where each part of memory that is read comes from.
ReadsFromChoices known_sources(const PartialExecution& execution) {
  ReadsFromChoices result;
  for (const PartialExecution::Part& part : execution.parts())
    if (part.is_active && part.source >= 0)
      result.choices.push_back({part.read, part.source, execution.atoms()[part.atom], Bits::boolean(true)});
  return result;
}

}  // namespace

bool come_about_in_order(const EventStructure& structure, const ReadsBehind& reads_behind,
                         const PartialExecution& execution, std::span<const OrderedPhases> known) {
  const std::vector<Event> events = known_events(execution);
  const std::vector<Bits> exits = known_exits(structure, execution);
  BarrierPhases phases;
  phases.meet = SymbolicRelation(events.size());
  for (const OrderedPhases& meeting : known) add_phases(structure, events, meeting, phases);
  ArrivalOrder order(events, exits, phases);
  order.add_reads(known_sources(execution), structure, reads_behind);
  BitMatrix before(order.relation().event_count());
  for (std::size_t from = 0; from < before.size(); ++from)
    for (const auto& [to, holds] : order.relation().rows[from])
      if (holds.is_true()) before.insert(from, index(to));
  return before.is_acyclic();
}

}  // namespace ptxmc
