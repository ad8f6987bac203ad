#pragma once

#include "solver/meetings/barrier_schedules.hpp"
#include "solver/unfolding/substitution.hpp"

namespace ptxmc {

/// The events of a launch with what is known about how threads go on behind some barriers (Event::goes_on),
/// and the phases of these.
struct CertainBarriers {
  EventStructure structure;
  BarrierSchedule schedule;  ///< -1 for all other events
  bool has_any = false;
  Substitution passed = {};  ///< what was replaced in `structure`: the old values of Event::goes_on
};

/// Finds barriers whose phases are the same in every execution, whatever the threads read: the phase k of a
/// barrier consists of the k-th arrivals of all its threads if each of these arrivals happens
/// unconditionally, except that it comes behind other such barriers, and waits without a thread count (PTX
/// ISA 8.7 § 9.7.13.1, § 9.7.13.2). The phase completes, since nothing else can hold these threads up.
///
/// Reads that these phases settle are settled in every execution. So they can be settled before it is known
/// which other barriers and mbarriers the threads pass.
CertainBarriers with_certain_barriers(EventStructure);

/// Finds phases of barriers behind which all threads go on under one condition: their members are known, but
/// whether all of them arrive may depend on reads, since a thread may wait in a loop before its barrier.
///
/// Let each thread of a barrier arrive at it behind its arrival before, and wait there without a thread
/// count. Let all threads of a phase arrive under one condition, or exit only behind their arrivals, and let
/// no warp diverge there. Then the k-th arrivals are the phase k in every execution, and a thread goes on
/// behind its own if all of them happen. Event::goes_on becomes this condition. It is found in an order in
/// which it depends on no unknown of a later phase, so a phase never completes because of itself.
CertainBarriers with_common_phases(EventStructure);

}  // namespace ptxmc
