#pragma once

#include "solver/meetings/barrier_schedules.hpp"

namespace ptxmc {

/// Whether only operations on mbarriers access the memory of an mbarrier object between `mbarrier.init` and
/// `mbarrier.inval`, in every execution with the phases of a schedule (PTX ISA 8.7 § 9.7.13.15.3). Other
/// accesses to this memory must precede `mbarrier.init`, or follow `mbarrier.inval`, in causality order.
bool are_mbarriers_apart(const EventStructure&, const BarrierSchedule&);

/// The same, but such an access may also follow all operations on the object. It then is an undefined use
/// that has no effect on the phases of the object.
bool are_phases_undisturbed(const EventStructure&, const BarrierSchedule&);

}  // namespace ptxmc
