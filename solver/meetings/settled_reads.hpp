#pragma once

#include "model/program/event.hpp"
#include "solver/meetings/barrier_schedules.hpp"

namespace ptxmc {

/// Replaces the results of reads of locations whose accesses are all in one program order by the last value
/// written there, or the initial content; also of reads that may only take writes of one value. This is valid
/// in every model of PTX: accesses of one thread to the same bytes are morally strong (PTX ISA 8.7 § 8.7),
/// and sequentially consistent per location (§ 8.10.5). What operations on mbarriers read is left open:
/// mbarrier_phases.hpp finds it.
EventStructure with_settled_reads(EventStructure);

/// The same for accesses that barriers under this schedule order as well: writes that causality order relates
/// are in the same coherence order (§ 8.9.6), and a read takes the last write before it (§ 8.10.6).
EventStructure with_settled_reads(EventStructure, const BarrierSchedule&);

}  // namespace ptxmc
