#pragma once

#include <span>
#include <vector>

#include "solver/meetings/barrier_phases.hpp"
#include "solver/reads/reads_from.hpp"

namespace ptxmc {

/// Whether reads decide if some thread arrives at a barrier or exits.
bool waiting_depends_on_reads(const EventStructure&);

/// The order in which the steps of an execution happen. Steps are events (for a barrier its arrival), the
/// continuation of a thread after a barrier, the exit of a thread, the arrival of a lane at an exchange, its
/// continuation there, and the values that it gets. Arrivals, continuations and exits of a thread are in
/// program order. A continuation follows the arrivals of its phase, the exits of awaited threads, and the
/// arrivals of exchanged lanes. A read follows its write, and every step that depends on the read follows it;
/// this includes the exit of a thread if reads decide how it ends or which barriers precede the exit. A read
/// on which no exit depends need not precede the exit, since an exit synchronizes with nothing.
///
/// In every execution this order is acyclic. No thread waits for a step that only follows its own
/// continuation, and no thread continues because of a value that is written only because it continued. Such
/// an execution would be a speculation that satisfies itself "through chains of instruction dependencies and
/// inter-thread communication" (PTX ISA 8.7 § 8.10.4); the dependencies of a model do not include waiting.
class ArrivalOrder {
 public:
  /// `happens`: by event, width 1. All arguments must outlive it.
  ArrivalOrder(const EventStructure&, std::span<const Bits> happens, const BarrierPhases&);

  /// Adds the steps that depend on reads.
  void add_reads(const ReadsFromChoices&, const ReadsBehind&);

  const SymbolicRelation& relation() const { return relation_; }

 private:
  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  const Bits& happens(EventId id) const { return happens_[static_cast<std::size_t>(id)]; }
  EventId id_of(const Event& event) const { return static_cast<EventId>(&event - structure_.events.data()); }
  EventId event_count() const { return static_cast<EventId>(structure_.events.size()); }
  EventId goes_on(EventId barrier) const { return event_count() + barrier; }
  EventId end(int thread) const { return 2 * event_count() + thread; }
  EventId arrival(std::size_t exchange) const {
    return end(static_cast<int>(structure_.endings.size())) + 3 * static_cast<EventId>(exchange);
  }
  EventId way_on(std::size_t exchange) const { return arrival(exchange) + 1; }
  EventId value(std::size_t exchange) const { return arrival(exchange) + 2; }

  void add(EventId from, EventId to, const Bits& when);
  void add_barrier(EventId);
  void add_exchange(std::size_t);
  void add_values(std::size_t);
  void add_later(EventId from, const Bits& when, int thread, unsigned step);
  void add_later_accesses(EventId from, const Bits& when, int thread, unsigned step);
  void add_reads_before_end(int thread, const ReadsBehind&);
  std::span<const Event> later(int thread, unsigned step) const;

  const EventStructure& structure_;
  const std::span<const Bits> happens_;
  const BarrierPhases& phases_;
  SymbolicRelation relation_;
};

/// A condition that is satisfiable if and only if the order is acyclic. It must not be negated.
Bits come_about_in_order(const EventStructure&, const BarrierPhases&, const ReadsFromChoices&, TermGraph&);

}  // namespace ptxmc
