#include "solver/arrival_order.hpp"

#include <algorithm>

#include "solver/barrier_matching.hpp"

namespace ptxmc {

ReadsBehind::ReadsBehind(const EventStructure& structure) {
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
    const Event& event = structure.events[static_cast<std::size_t>(id)];
    if (event.is_read() && !event.value.is_constant())
      for (const VariableId variable : variables_of(event.value)) read_of_.emplace(variable, id);
  }
}

std::vector<EventId> ReadsBehind::operator()(const Bits& term) const {
  std::vector<EventId> reads;
  for (const VariableId variable : variables_of(term))
    if (const auto read = read_of_.find(variable); read != read_of_.end()) reads.push_back(read->second);
  return reads;
}

bool barriers_depend_on_reads(const EventStructure& structure) {
  return std::ranges::any_of(structure.events, [](const Event& event) {
    return event.kind == EventKind::barrier && !event.control_dependencies.empty();
  });
}

ArrivalOrder::ArrivalOrder(std::span<const Event> events, std::span<const Bits> exits,
                           const BarrierPhases& phases)
    : events_(events),
      exits_(exits),
      phases_(phases),
      relation_(2 * events.size() + exits.size() + 3 * phases.exchanges.size()) {
  for (EventId id = 0; id < event_count(); ++id)
    if (event(id).kind == EventKind::barrier) add_barrier(id);
  for (const auto& [first, second, when] : phases.order) add(first, second, when);
  for (const auto& [barrier, thread, when] : phases.exits) add(exit(thread), goes_on(barrier), when);
  for (std::size_t i = 0; i < phases.exchanges.size(); ++i) add_exchange(i);
}

void ArrivalOrder::add(EventId from, EventId to, const Bits& when) {
  if (!when.is_false()) relation_.rows[static_cast<std::size_t>(from)].push_back({to, when});
}

/// Whoever waits goes on when all of the phase have arrived.
void ArrivalOrder::add_barrier(EventId id) {
  const Event& own = event(id);
  add(id, goes_on(id), own.condition);
  add_later(goes_on(id), own.condition, own.thread, own.step);
  if (!waits_at_barrier(own)) return;
  for (const auto& [other, meets] : phases_.meet.rows[static_cast<std::size_t>(id)])
    if (arrives_at_barrier(event(other))) add(other, goes_on(id), meets);
}

void ArrivalOrder::add_exchange(std::size_t number) {
  const WarpExchange& own = phases_.exchanges[number];
  add(arrival(number), way_on(number), own.condition);
  add_later(way_on(number), own.condition, own.thread, own.step);
  for (const auto& [other, when] : own.exchanges) add(arrival(other), way_on(number), when);
  for (const auto& [thread, when] : own.endings) add(exit(static_cast<int>(thread)), way_on(number), when);
}

/// What it gets comes from what those bring that meet there, itself among them.
void ArrivalOrder::add_values(std::size_t number) {
  const auto add_from = [&](std::size_t other, const Bits& when) {
    const WarpExchange& its = phases_.exchanges[other];
    for (const EventId read : its.brought) add(read, value(number), event(read).condition & when);
    for (const std::size_t passed : its.passed_on) add(value(passed), value(number), when);
  };
  const WarpExchange& own = phases_.exchanges[number];
  add_from(number, own.condition);
  for (const auto& [other, when] : own.exchanges) add_from(other, when);
  for (const EventId id : own.dependents) add(value(number), id, event(id).condition & own.condition);
}

/// Those of a thread after a step.
std::span<const Event> ArrivalOrder::later(int thread, unsigned step) const {
  const auto place = [](const Event& event) { return std::pair(event.thread, event.step); };
  const auto first = std::ranges::upper_bound(events_, std::pair(thread, step), {}, place);
  const auto last = std::ranges::upper_bound(first, events_.end(), thread, {}, &Event::thread);
  return {first, last};
}

/// What else the thread does that somebody may wait for.
void ArrivalOrder::add_later(EventId from, const Bits& when, int thread, unsigned step) {
  for (const Event& event : later(thread, step))
    if (event.kind == EventKind::barrier)
      add(from, static_cast<EventId>(&event - events_.data()), when & event.condition);
  for (std::size_t i = 0; i < phases_.exchanges.size(); ++i)
    if (const WarpExchange& exchange = phases_.exchanges[i];
        exchange.thread == thread && exchange.step > step)
      add(from, arrival(i), when & exchange.condition);
  add(from, exit(thread), when & exits_[static_cast<std::size_t>(thread)]);
}

void ArrivalOrder::add_later_accesses(EventId from, const Bits& when, int thread, unsigned step) {
  for (const Event& event : later(thread, step))
    if (event.kind != EventKind::barrier)
      add(from, static_cast<EventId>(&event - events_.data()), when & event.condition);
}

void ArrivalOrder::add_reads(const ReadsFromChoices& reads_from, const EventStructure& structure,
                             const ReadsBehind& reads_behind) {
  for (const auto& choice : reads_from.choices) add(choice.write, choice.read, choice.chosen);
  for (EventId id = 0; id < event_count(); ++id) {
    const Event& own = event(id);
    for (const auto* reads : {&own.address_dependencies, &own.data_dependencies, &own.control_dependencies})
      for (const EventId read : *reads) add(read, id, event(read).condition & own.condition);
    if (own.kind == EventKind::barrier && waits_at_barrier(own))
      add_later_accesses(goes_on(id), own.condition, own.thread, own.step);
  }
  for (std::size_t i = 0; i < phases_.exchanges.size(); ++i) {
    const WarpExchange& own = phases_.exchanges[i];
    add_later_accesses(way_on(i), own.condition, own.thread, own.step);
    for (const EventId read : reads_behind(own.condition))
      add(read, arrival(i), event(read).condition & own.condition);
    add_values(i);
  }
  for (int thread = 0; thread < static_cast<int>(exits_.size()); ++thread)
    for (const EventId read : reads_behind(has_exited(structure, thread)))
      add(read, exit(thread), event(read).condition & exits_[static_cast<std::size_t>(thread)]);
  for (const auto* absences : {&phases_.exits, &phases_.absences})
    for (const BarrierPhases::Absence& absence : *absences) add_absence(absence, structure, reads_behind);
}

/// A thread has read that it does not come to the barrier.
void ArrivalOrder::add_absence(const BarrierPhases::Absence& absence, const EventStructure& structure,
                               const ReadsBehind& reads_behind) {
  if (absence.when.is_false()) return;
  const Barrier& barrier = structure.events[static_cast<std::size_t>(absence.barrier)].barrier;
  for (const Event& other : structure.events)
    if (other.kind == EventKind::barrier && other.thread == absence.thread &&
        other.barrier.group == barrier.group && other.barrier.textual == barrier.textual)
      for (const Bits* decisive : {&other.condition, &other.barrier.id})
        for (const EventId read : reads_behind(*decisive))
          add(read, goes_on(absence.barrier), event(read).condition & absence.when);
}

Bits come_about_in_order(const EventStructure& structure, const BarrierPhases& phases,
                         const ReadsFromChoices& reads_from, TermGraph& graph) {
  const bool has_barriers = std::ranges::any_of(
      structure.events, [](const Event& event) { return event.kind == EventKind::barrier; });
  if (phases.is_in_order || (!has_barriers && phases.exchanges.empty())) return Bits::boolean(true);
  std::vector<Bits> exits;
  for (std::size_t thread = 0; thread < structure.endings.size(); ++thread)
    exits.push_back(has_exited(structure, static_cast<int>(thread)));
  ArrivalOrder order(structure.events, exits, phases);
  if (!phases.exchanges.empty() || barriers_depend_on_reads(structure))
    order.add_reads(reads_from, structure, ReadsBehind(structure));
  return is_ranked(order.relation(), graph);
}

}  // namespace ptxmc
