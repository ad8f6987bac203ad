#pragma once

#include <vector>

#include "model/event.hpp"
#include "solver/barrier_matching.hpp"
#include "solver/reads_behind.hpp"
#include "solver/symbolic_relation.hpp"

namespace ptxmc {

/// A place at which lanes of a warp exchange values, and so wait for each other, where it depends on what is
/// read who comes there. It orders no memory accesses: PTX ISA 8.7 § 9.7.9.6 promises that of no exchange.
struct WarpExchange {
  /// Somebody that it waits for, and when (width 1).
  struct Awaited {
    std::size_t number;  ///< of an exchange that meets it; of a thread that has ended
    Bits when;
  };
  int thread = 0;
  unsigned step = 0;  ///< its place in program order, as Event::step
  Bits condition;     ///< width 1: the thread comes there
  std::vector<Awaited> exchanges, endings;
  /// Dependencies through exchanges, where it is chosen in each execution who meets whom: the reads that what
  /// the thread brings came from, the exchanges of the thread whose values it passes on, and the events that
  /// depend on what it gets here.
  std::vector<EventId> brought;
  std::vector<std::size_t> passed_on;
  std::vector<EventId> dependents;
};

/// Which arrivals at barriers meet: PTX ISA 8.7 § 9.7.13.1.
///
/// Without a thread count, all threads that use the barrier and have not exited are waited for: the
/// n-th arrivals of the threads meet. In a litmus test those use it in whose text it stands, but for one that
/// has come, wherever it stands, with another id. With a count, which arrivals fill a phase is chosen. A
/// thread that waits goes on when the phase is full, so the order of phases follows program order: what would
/// need a cycle is a deadlock, and no execution. In a launch, warps arrive (warp_arrivals.hpp), and all
/// threads of the CTA that have not exited are waited for; threads of one warp that execute different
/// aligned barriers go on no more.
struct BarrierPhases {
  /// Events of one phase, both ways; an event is not related to itself.
  SymbolicRelation meet;
  /// By event: as a barrier event that is complete; constant false for others.
  std::vector<Bits> complete;
  /// What any execution satisfies.
  std::vector<Bits> constraints;
  /// Satisfied when all waiting arrivals are complete, as they are when all threads end.
  std::vector<Bits> all_complete;
  /// A barrier that is complete although a thread has not arrived: that one has exited.
  struct Exit {
    EventId barrier;
    int thread;
    Bits when;  ///< width 1
  };
  std::vector<Exit> exits;
  /// A barrier of a litmus test that is complete although a thread has not arrived: that one has come to
  /// barriers with other ids.
  struct Elsewhere {
    EventId barrier, arrival;
    Bits when;  ///< width 1
  };
  std::vector<Elsewhere> elsewhere;
  /// An arrival that fills an earlier phase of the same barrier than another one.
  struct Earlier {
    EventId first, second;
    Bits when;  ///< width 1
  };
  std::vector<Earlier> order;
  /// Where lanes of warps wait for each other.
  std::vector<WarpExchange> exchanges;
  /// Of the events as they were unfolded: what a read returns is its own unknown there. Once the values of
  /// reads are settled, a read may have the unknown of an input, or of another read, as its value.
  ReadsBehind reads_behind;
  /// It is known that there is an order in which all comes about: arrival_order.hpp.
  bool is_in_order = false;
};

/// Width 1: the thread has run to its end.
Bits has_exited(const EventStructure&, int thread);

BarrierPhases choose_barrier_phases(const EventStructure&, TermGraph&);

/// The phases where it is known already, by event, to which one an event belongs; -1: to none.
BarrierPhases known_barrier_phases(const EventStructure&, TermGraph&, const std::vector<int>& phase);

}  // namespace ptxmc
