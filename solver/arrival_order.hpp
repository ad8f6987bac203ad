#pragma once

#include <span>
#include <vector>

#include "solver/barrier_phases.hpp"
#include "solver/reads_from.hpp"

namespace ptxmc {

/// There are barriers, and somebody comes to one, or ends, because of what he has read.
bool waiting_depends_on_reads(const EventStructure&);

/// What comes about before what does: events (of a barrier: its arrival), that a thread goes on from a
/// barrier, that it ends, that a lane comes to an exchange, that it goes on from there, and what it gets
/// there. Threads are in program order at all of these, and wait for their phase, for exits and for the lanes
/// that they exchange values with. What is read comes from its write, and what depends on it comes after it:
/// also that a thread ends, where what it has read decides how, and which barriers it comes to before. That a
/// thread has read something else, it need not have done before it ends: an exit synchronizes with nothing.
///
/// In an execution this has no cycle: nobody waits for what comes only after he has gone on, nor goes on
/// because of a value that is written because he went on. That would be a speculation that satisfies itself
/// "through chains of instruction dependencies and inter-thread communication" (PTX ISA 8.7 § 8.10.4); the
/// dependencies of a model know nothing of who waits for whom.
class ArrivalOrder {
 public:
  /// `happens`: by event, width 1. All outlive it.
  ArrivalOrder(const EventStructure&, std::span<const Bits> happens, const BarrierPhases&);

  /// Adds what reads make happen.
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

/// Satisfiable exactly when the order has no cycle. Not to be negated.
Bits come_about_in_order(const EventStructure&, const BarrierPhases&, const ReadsFromChoices&, TermGraph&);

}  // namespace ptxmc
