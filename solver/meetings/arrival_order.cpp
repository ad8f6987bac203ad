#include "solver/meetings/arrival_order.hpp"

#include <algorithm>

#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

bool waiting_depends_on_reads(const EventStructure& structure) {
  if (!has_barriers(structure)) return false;
  const ReadsBehind reads_behind(structure);
  const auto depends = [](const Event& event) {
    const Barrier& barrier = event.barrier;
    return event.kind == EventKind::barrier &&
           (!event.control_dependencies.empty() || !barrier.id.is_constant() ||
            (barrier.count && !barrier.count->is_constant()));
  };
  if (std::ranges::any_of(structure.events, depends)) return true;
  return std::ranges::any_of(structure.endings, [&](const std::vector<Ending>& endings) {
    return std::ranges::any_of(endings,
                               [&](const Ending& ending) { return !reads_behind(ending.condition).empty(); });
  });
}

ArrivalOrder::ArrivalOrder(const EventStructure& structure, std::span<const Bits> happens,
                           const BarrierPhases& phases)
    : structure_(structure),
      happens_(happens),
      phases_(phases),
      relation_(2 * structure.events.size() + structure.endings.size() + 3 * phases.exchanges.size()) {
  for (EventId id = 0; id < event_count(); ++id)
    if (event(id).kind == EventKind::barrier) add_barrier(id);
  for (const auto& [first, second, when] : phases.order) add(first, second, when);
  for (const auto& [barrier, thread, when] : phases.exits) add(end(thread), goes_on(barrier), when);
  for (const auto& [barrier, arrival, when] : phases.elsewhere) add(arrival, goes_on(barrier), when);
  for (std::size_t i = 0; i < phases.exchanges.size(); ++i) add_exchange(i);
}

void ArrivalOrder::add(EventId from, EventId to, const Bits& when) {
  if (!when.is_false()) relation_.rows[static_cast<std::size_t>(from)].push_back({to, when});
}

/// A thread that waits continues after all arrivals of its phase.
void ArrivalOrder::add_barrier(EventId id) {
  const Event& own = event(id);
  add(id, goes_on(id), happens(id));
  add_later(goes_on(id), happens(id), own.thread, own.step);
  if (!waits_at_barrier(own)) return;
  for (const auto& [other, meets] : phases_.meet.rows[static_cast<std::size_t>(id)])
    if (arrives_at_barrier(event(other))) add(other, goes_on(id), meets);
}

void ArrivalOrder::add_exchange(std::size_t number) {
  const WarpExchange& own = phases_.exchanges[number];
  add(arrival(number), way_on(number), own.condition);
  add_later(way_on(number), own.condition, own.thread, own.step);
  for (const auto& [other, when] : own.exchanges) add(arrival(other), way_on(number), when);
  for (const auto& [thread, when] : own.endings) add(end(static_cast<int>(thread)), way_on(number), when);
}

/// The values that a lane gets depend on the values of all lanes that meet, including itself.
void ArrivalOrder::add_values(std::size_t number) {
  const auto add_from = [&](std::size_t other, const Bits& when) {
    const WarpExchange& its = phases_.exchanges[other];
    for (const EventId read : its.brought) add(read, value(number), happens(read) & when);
    for (const std::size_t passed : its.passed_on) add(value(passed), value(number), when);
  };
  const WarpExchange& own = phases_.exchanges[number];
  add_from(number, own.condition);
  for (const auto& [other, when] : own.exchanges) add_from(other, when);
  for (const EventId id : own.dependents) add(value(number), id, happens(id) & own.condition);
}

/// The events of a thread after a step.
std::span<const Event> ArrivalOrder::later(int thread, unsigned step) const {
  const auto place = [](const Event& event) { return std::pair(event.thread, event.step); };
  const auto& events = structure_.events;
  const auto first = std::ranges::upper_bound(events, std::pair(thread, step), {}, place);
  const auto last = std::ranges::upper_bound(first, events.end(), thread, {}, &Event::thread);
  return {first, last};
}

/// Adds later steps of the thread at which other threads may wait: barriers, exchanges, and its end.
void ArrivalOrder::add_later(EventId from, const Bits& when, int thread, unsigned step) {
  for (const Event& event : later(thread, step))
    if (event.kind == EventKind::barrier) add(from, id_of(event), when & happens(id_of(event)));
  for (std::size_t i = 0; i < phases_.exchanges.size(); ++i)
    if (const WarpExchange& exchange = phases_.exchanges[i];
        exchange.thread == thread && exchange.step > step)
      add(from, arrival(i), when & exchange.condition);
  add(from, end(thread), when);
}

void ArrivalOrder::add_later_accesses(EventId from, const Bits& when, int thread, unsigned step) {
  for (const Event& event : later(thread, step))
    if (event.kind != EventKind::barrier) add(from, id_of(event), when & happens(id_of(event)));
}

void ArrivalOrder::add_reads(const ReadsFromChoices& reads_from, const ReadsBehind& reads_behind) {
  for (const auto& choice : reads_from.choices) add(choice.write, choice.read, choice.chosen);
  for (EventId id = 0; id < event_count(); ++id) {
    const Event& own = event(id);
    for (const auto* reads : {&own.address_dependencies, &own.data_dependencies, &own.control_dependencies})
      for (const EventId read : *reads) add(read, id, happens(read) & happens(id));
    if (own.kind == EventKind::barrier && waits_at_barrier(own))
      add_later_accesses(goes_on(id), happens(id), own.thread, own.step);
  }
  for (std::size_t i = 0; i < phases_.exchanges.size(); ++i) {
    const WarpExchange& own = phases_.exchanges[i];
    add_later_accesses(way_on(i), own.condition, own.thread, own.step);
    for (const EventId read : reads_behind(own.condition))
      add(read, arrival(i), happens(read) & own.condition);
    add_values(i);
  }
  for (int thread = 0; thread < static_cast<int>(structure_.endings.size()); ++thread)
    add_reads_before_end(thread, reads_behind);
}

/// Adds the reads that decide how the thread ends and which barriers it executes before.
void ArrivalOrder::add_reads_before_end(int thread, const ReadsBehind& reads_behind) {
  const auto add_from = [&](const Bits& decisive) {
    for (const EventId read : reads_behind(decisive)) add(read, end(thread), happens(read));
  };
  for (const Ending& ending : structure_.endings[static_cast<std::size_t>(thread)])
    add_from(ending.condition);
  for (const Event& own : later(thread, 0))
    if (own.kind == EventKind::barrier) add_from(own.condition);
}

Bits come_about_in_order(const EventStructure& structure, const BarrierPhases& phases,
                         const ReadsFromChoices& reads_from, TermGraph& graph) {
  if (phases.is_in_order || (!has_barriers(structure) && phases.exchanges.empty()))
    return Bits::boolean(true);
  std::vector<Bits> happens;
  for (const Event& event : structure.events) happens.push_back(event.condition);
  ArrivalOrder order(structure, happens, phases);
  if (!phases.exchanges.empty() || waiting_depends_on_reads(structure))
    order.add_reads(reads_from, phases.reads_behind);
  return is_ranked(order.relation(), graph);
}

}  // namespace ptxmc
