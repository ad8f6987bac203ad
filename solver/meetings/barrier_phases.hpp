#pragma once

#include <vector>

#include "model/program/event.hpp"
#include "solver/algebra/symbolic_relation.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/reads/reads_behind.hpp"

namespace ptxmc {

/// An exchange at which lanes of a warp wait for each other. It orders no memory accesses: PTX ISA 8.7
/// § 9.7.9.6 does not promise this for any exchange.
struct WarpExchange {
  /// A lane that it waits for, and the condition (width 1).
  struct Awaited {
    std::size_t number;  ///< the number of an exchange that it meets, or of a thread that has ended
    Bits when;
  };
  int thread = 0;
  unsigned step = 0;  ///< its position in program order: see Event::step
  Bits condition;     ///< width 1: the thread arrives
  std::vector<Awaited> exchanges, endings;
  /// Dependencies through exchanges, if each execution chooses which lanes meet: the reads on which the
  /// thread's contribution depends, the exchanges of the thread whose values it passes on, and the events
  /// that depend on the values that it gets here.
  std::vector<EventId> brought;
  std::vector<std::size_t> passed_on;
  std::vector<EventId> dependents;
};

/// The arrivals that form the phases of barriers: PTX ISA 8.7 § 9.7.13.1.
///
/// Without a thread count, a barrier waits for all its participants that have not exited, and the n-th
/// arrivals of the threads form the n-th phase. In a litmus test a thread participates if its text contains
/// the barrier, unless it has arrived with another id. With a count, unknowns choose the arrivals of each
/// phase. A waiting thread continues when the phase is complete, so the order of phases follows program
/// order; a cycle would be a deadlock and is no execution. In a launch, warps arrive (counted_barriers.hpp),
/// and all threads of the CTA that have not exited participate; threads of one warp that execute different
/// aligned barriers never continue.
struct BarrierPhases {
  /// Relates the events of one phase in both directions; an event is not related to itself.
  SymbolicRelation meet;
  /// By event: whether it is a barrier event whose phase is complete; constant false for other events.
  std::vector<Bits> complete;
  /// The constraints of every execution.
  std::vector<Bits> constraints;
  /// Conditions that the phases of all waiting arrivals are complete, which holds when all threads end.
  std::vector<Bits> all_complete;
  /// A barrier whose phase is complete without a thread, since the thread has exited.
  struct Exit {
    EventId barrier;
    int thread;
    Bits when;  ///< width 1
  };
  std::vector<Exit> exits;
  /// A barrier of a litmus test whose phase is complete without a thread, since the thread has arrived at
  /// barriers with other ids.
  struct Elsewhere {
    EventId barrier, arrival;
    Bits when;  ///< width 1
  };
  std::vector<Elsewhere> elsewhere;
  /// Two arrivals of one misused phase of a launch, which never completes: BarrierPhase::is_misused.
  struct Misused {
    EventId first, second;
    Bits when;  ///< width 1
  };
  std::vector<Misused> misused;
  /// An arrival that precedes another arrival at the same barrier: it is in an earlier phase, or only the
  /// other one makes a phase misused.
  struct Earlier {
    EventId first, second;
    Bits when;  ///< width 1
  };
  std::vector<Earlier> order;
  /// The exchanges at which lanes of warps wait for each other.
  std::vector<WarpExchange> exchanges;
  /// The reads on which terms depend, computed for the events as unfolded, where each read returns a separate
  /// unknown. Once reads are settled, the value of a read may be the unknown of an input or of another read.
  ReadsBehind reads_behind;
  /// Whether the arrival order is known to be acyclic: arrival_order.hpp.
  bool is_in_order = false;
};

/// Whether the thread has run to its end; width 1.
Bits has_exited(const EventStructure&, int thread);

}  // namespace ptxmc
