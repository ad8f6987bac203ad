#include "solver/arrival_order.hpp"

#include <map>
#include <set>

#include "solver/barrier_matching.hpp"

namespace ptxmc {

namespace {

/// A thread that waits goes on when everyone of the phase has arrived.
void add_waiting(const EventStructure& structure, const BarrierPhases& phases, ArrivalOrder& order) {
  const auto event_count = static_cast<EventId>(structure.events.size());
  for (EventId i = 0; i < event_count; ++i) {
    const Event& first = structure.events[i];
    if (first.kind != EventKind::barrier) continue;
    for (EventId next = i + 1; next < event_count; ++next) {
      const Event& second = structure.events[next];
      if (second.kind != EventKind::barrier || second.thread != first.thread || second.step <= first.step)
        continue;
      const Bits both = first.condition & second.condition;
      order.emplace_back(i, next, both);
      if (!waits_at_barrier(first)) continue;
      for (const auto& [member, meets] : phases.meet.rows[i])
        if (member != next && arrives(structure.events[member]))
          order.emplace_back(member, next, both & meets);
    }
  }
}

/// A thread that waits for one that arrives no more goes on after that one has exited. The exit of thread t
/// is numbered as if it were an event after all others.
void add_exits(const EventStructure& structure, const BarrierPhases& phases,
               const std::vector<WarpExchange>& exchanges, ArrivalOrder& order) {
  const auto event_count = static_cast<EventId>(structure.events.size());
  std::set<int> awaited;
  for (const WarpExchange& exchange : exchanges) {
    awaited.insert(exchange.thread);
    for (const auto& [thread, when] : exchange.endings) awaited.insert(static_cast<int>(thread));
  }
  for (const auto& [barrier, thread, when] : phases.exits) {
    const Event& waiting = structure.events[barrier];
    if (when.is_false()) continue;
    for (EventId next = barrier + 1; next < event_count; ++next) {
      const Event& event = structure.events[next];
      if (event.kind == EventKind::barrier && event.thread == waiting.thread && event.step > waiting.step)
        order.emplace_back(event_count + thread, next, when & event.condition);
    }
    order.emplace_back(event_count + thread, event_count + waiting.thread,
                       when & has_exited(structure, waiting.thread));
    awaited.insert(thread);
    awaited.insert(waiting.thread);
  }
  for (EventId id = 0; id < event_count; ++id) {
    const Event& event = structure.events[id];
    if (event.kind != EventKind::barrier || !awaited.contains(event.thread)) continue;
    const Bits both = event.condition & has_exited(structure, event.thread);
    order.emplace_back(id, event_count + event.thread, both);
    if (!waits_at_barrier(event)) continue;
    for (const auto& [member, meets] : phases.meet.rows[id])
      if (arrives(structure.events[member]) && structure.events[member].thread != event.thread)
        order.emplace_back(member, event_count + event.thread, both & meets);
  }
}

SymbolicRelation relation_of(ArrivalOrder pairs, std::size_t event_count) {
  std::map<std::pair<EventId, EventId>, Bits> united;
  for (const auto& [from, to, holds] : pairs) {
    const auto [place, is_new] = united.try_emplace({from, to}, holds);
    if (!is_new) place->second = place->second | holds;
  }
  SymbolicRelation relation(event_count);
  for (const auto& [pair, holds] : united)
    if (!holds.is_false()) relation.rows[pair.first].push_back({pair.second, holds});
  return relation;
}

/// The arrivals and ways on of the exchanges, among all else.
class ExchangeOrder {
 public:
  ExchangeOrder(const EventStructure& structure, const BarrierPhases& phases,
                const std::vector<WarpExchange>& exchanges, ArrivalOrder& order)
      : structure_(structure), phases_(phases), exchanges_(exchanges), order_(order) {}

  void add() {
    for (std::size_t i = 0; i < exchanges_.size(); ++i) {
      const WarpExchange& exchange = exchanges_[i];
      add(arrival(i), way_on(i), exchange.condition);
      add(way_on(i), exit(exchange.thread), exchange.condition & has_exited(structure_, exchange.thread));
      for (const auto& [other, when] : exchange.exchanges) add(arrival(other), way_on(i), when);
      for (const auto& [thread, when] : exchange.endings)
        add(exit(static_cast<int>(thread)), way_on(i), when);
      for (std::size_t next = 0; next < exchanges_.size(); ++next) {
        const WarpExchange& later = exchanges_[next];
        if (later.thread == exchange.thread && exchange.step < later.step)
          add(way_on(i), arrival(next), exchange.condition & later.condition);
      }
      for (EventId id = 0; id < exit(0); ++id)
        if (event(id).kind == EventKind::barrier && event(id).thread == exchange.thread) add_barrier(id, i);
    }
    for (const auto& [barrier, thread, when] : phases_.exits)
      for (std::size_t i = 0; i < exchanges_.size(); ++i)
        if (is_before(event(barrier), exchanges_[i]))
          add(exit(thread), arrival(i), when & exchanges_[i].condition);
  }

 private:
  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  EventId exit(int thread) const { return static_cast<EventId>(structure_.events.size()) + thread; }
  EventId arrival(std::size_t exchange) const {
    return static_cast<EventId>(structure_.events.size() + structure_.endings.size() + 2 * exchange);
  }
  EventId way_on(std::size_t exchange) const { return arrival(exchange) + 1; }

  static bool is_before(const Event& barrier, const WarpExchange& exchange) {
    return barrier.thread == exchange.thread && barrier.step < exchange.step;
  }

  void add(EventId from, EventId to, const Bits& when) {
    if (!when.is_false()) order_.emplace_back(from, to, when);
  }

  void add_barrier(EventId id, std::size_t number) {
    const WarpExchange& exchange = exchanges_[number];
    const Bits both = event(id).condition & exchange.condition;
    if (!is_before(event(id), exchange)) return add(way_on(number), id, both);
    add(id, arrival(number), both);
    if (!waits_at_barrier(event(id))) return;
    for (const auto& [member, meets] : phases_.meet.rows[static_cast<std::size_t>(id)])
      if (arrives(event(member))) add(member, arrival(number), both & meets);
  }

  const EventStructure& structure_;
  const BarrierPhases& phases_;
  const std::vector<WarpExchange>& exchanges_;
  ArrivalOrder& order_;
};

}  // namespace

bool arrives(const Event& event) { return event.barrier.kind != Barrier::Kind::wait; }

Bits arrive_in_order(const EventStructure& structure, const BarrierPhases& phases,
                     const std::vector<WarpExchange>& exchanges, ArrivalOrder order, TermGraph& graph) {
  add_waiting(structure, phases, order);
  add_exits(structure, phases, exchanges, order);
  ExchangeOrder(structure, phases, exchanges, order).add();
  const std::size_t count = structure.events.size() + structure.endings.size() + 2 * exchanges.size();
  return is_ranked(relation_of(std::move(order), count), graph);
}

}  // namespace ptxmc
