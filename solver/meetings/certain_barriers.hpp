#pragma once

#include "solver/meetings/barrier_schedules.hpp"

namespace ptxmc {

/// The events of a launch in which threads go on behind their certain barriers, and the phases of these.
struct CertainBarriers {
  EventStructure structure;
  BarrierSchedule schedule;  ///< -1 for all other events
  bool has_any = false;
};

/// Finds barriers whose phases are the same in every execution, whatever the threads read: the phase k of a
/// barrier consists of the k-th arrivals of all its threads if each of these arrivals happens
/// unconditionally, except that it comes behind other such barriers, and waits without a thread count (PTX
/// ISA 8.7 § 9.7.13.1, § 9.7.13.2). The phase completes, since nothing else can hold these threads up.
///
/// Reads that these phases settle are settled in every execution. So they can be settled before it is known
/// which other barriers and mbarriers the threads pass.
CertainBarriers with_certain_barriers(EventStructure);

}  // namespace ptxmc
