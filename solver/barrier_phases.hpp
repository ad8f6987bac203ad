#pragma once

#include <vector>

#include "model/event.hpp"
#include "solver/symbolic_relation.hpp"

namespace ptxmc {

/// Which arrivals at barriers meet: PTX ISA 8.7 § 9.7.13.1.
///
/// Without a thread count, all threads that use the barrier and have not exited are waited for: the
/// n-th arrivals of the threads meet. With a count, which arrivals fill a phase is chosen. A thread
/// that waits goes on when the phase is full, so the order of phases follows program order: what would
/// need a cycle is a deadlock, and no execution.
struct BarrierPhases {
  /// Events of one phase, both ways; an event is not related to itself.
  SymbolicRelation meet;
  /// By event: as a barrier event that is complete; constant false for others.
  std::vector<Bits> complete;
  /// What any execution satisfies.
  std::vector<Bits> constraints;
  /// Satisfied when all waiting arrivals are complete, as they are when all threads end.
  std::vector<Bits> all_complete;
};

BarrierPhases choose_barrier_phases(const EventStructure&, TermGraph&);

}  // namespace ptxmc
