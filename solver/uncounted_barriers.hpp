#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/event.hpp"

namespace ptxmc {

/// An event at a barrier without a thread count, and when its thread goes on: PTX ISA 8.7 § 9.7.13.1 to
/// § 9.7.13.3. Conditions have width 1, and hold together with that of the event.
struct UncountedArrival {
  EventId event = 0;
  /// How often its thread has arrived at this barrier before (waited, if the event is
  /// `barrier.cluster.wait`): events of one barrier with one number are of one phase.
  Bits number;
  /// Each thread that is waited for has arrived as often, is at barriers with other ids instead (litmus
  /// tests), or has exited. Of an event that does not wait: true.
  Bits have_all_come = Bits::boolean(true);
  /// A thread of its warp is at another aligned barrier: the phase is never complete.
  Bits diverges = Bits::boolean(false);

  /// A thread that is waited for, and has not arrived.
  struct Absent {
    int thread;
    Bits has_exited;
    std::vector<EventId> elsewhere;  ///< its arrivals at barriers with other ids, in place of it
    Bits is_elsewhere;
  };
  std::vector<Absent> absent;

  /// The phase is complete as far as this event's thread can tell: it goes on, if it waits.
  Bits goes_on() const { return have_all_come & ~diverges; }
};

/// Width 1: both events happen, at one barrier, of events that are of one meeting (barrier_matching.hpp).
Bits are_at_one_barrier_together(const Event&, const Event&);

/// Those of the events of one meeting without a thread count, in their order. `diverges`: by event of the
/// structure; empty where no warps diverge.
std::vector<UncountedArrival> uncounted_arrivals(const EventStructure&, std::span<const EventId> meeting,
                                                 const std::vector<Bits>& diverges);

/// By event of the structure: that threads of its warp are at different aligned barriers. Empty in a litmus
/// test, where every thread is a warp of its own.
std::vector<Bits> divergence_by_event(const EventStructure&);

}  // namespace ptxmc
