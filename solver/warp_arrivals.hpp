#pragma once

#include <vector>

#include "solver/barrier_phases.hpp"

namespace ptxmc {

/// Phases of the barriers with a thread count in a launch, where warps arrive: PTX ISA 8.7 § 9.7.13.1.
///
/// The n-th arrival of a warp at a barrier is there when all of its threads that have not exited have arrived
/// for the n-th time, and counts as a full warp. Which arrivals fill a phase is chosen, consistent with the
/// order in each warp. `phase` is by place among `events`, which are of one CTA; those without a count stay
/// as they are. `diverges` is by event: such a barrier is never complete.
/// Throws Unsupported: numbers or counts that are not known, a barrier with several counts.
void choose_warp_phases(const EventStructure&, TermGraph&, const std::vector<Bits>& diverges,
                        const std::vector<EventId>& events, std::vector<Bits>& phase, BarrierPhases&);

}  // namespace ptxmc
