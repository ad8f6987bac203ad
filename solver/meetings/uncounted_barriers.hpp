#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/program/event.hpp"
#include "solver/meetings/divergence.hpp"

namespace ptxmc {

/// An event at a barrier without a thread count, with the conditions under which its thread continues: PTX
/// ISA 8.7 § 9.7.13.1 to § 9.7.13.3. Conditions have width 1 and apply together with the condition of the
/// event.
struct UncountedArrival {
  EventId event = 0;
  /// The number of earlier arrivals of its thread at this barrier (of earlier waits, if the event is
  /// `barrier.cluster.wait`). Events of one barrier with the same number belong to one phase.
  Bits number;
  /// Each awaited thread has arrived as often, is at barriers with other ids instead (litmus tests), or has
  /// exited. True for an event that does not wait.
  Bits have_all_come = Bits::boolean(true);
  /// Before the phase completes, a thread of its warp or of the warp of an awaited arrival is at another
  /// aligned barrier (PhaseDivergence), so that the phase never completes.
  Bits diverges = Bits::boolean(false);

  /// An awaited thread that has not arrived.
  struct Absent {
    int thread;
    Bits has_exited;
    std::vector<EventId> elsewhere;  ///< its arrivals at barriers with other ids
    Bits is_elsewhere;
  };
  std::vector<Absent> absent;

  /// The condition that the phase is complete, so that the thread continues if it waits.
  Bits goes_on() const { return have_all_come & ~diverges; }
};

/// Whether both events of one meeting (barrier_matching.hpp) happen at the same barrier; width 1.
Bits are_at_one_barrier_together(const Event&, const Event&);

/// The arrivals of one meeting without a thread count, in order.
std::vector<UncountedArrival> uncounted_arrivals(const EventStructure&, std::span<const EventId> meeting,
                                                 const DivergentBarriers&);

}  // namespace ptxmc
