#pragma once

#include "model/event.hpp"
#include "solver/barrier_schedules.hpp"

namespace ptxmc {

/// Puts values in place of unknowns in all that events are.
void substitute(EventStructure&, Substitution&);

/// The events with the values of reads of places whose accesses program order puts in order: what was written
/// there last, or the initial content. So it is in every model of PTX: accesses of one thread to the same
/// bytes are morally strong (PTX ISA 8.7 § 8.7), and sequentially consistent per location (§ 8.10.5).
EventStructure with_settled_reads(EventStructure);

/// The same where barriers, passed in this way, put them in order too: writes that causality orders are so in
/// coherence order (§ 8.9.6), and a read takes the last one before it (§ 8.10.6).
EventStructure with_settled_reads(EventStructure, const BarrierSchedule&);

}  // namespace ptxmc
