#pragma once

#include <vector>

#include "solver/meetings/barrier_phases.hpp"

namespace ptxmc {

/// Phases of the barriers with a thread count in a launch, where warps arrive: PTX ISA 8.7 § 9.7.13.1.
///
/// A warp arrives at a barrier for the n-th time when all of its threads that have not exited have arrived
/// for the n-th time; it counts as a full warp. Unknowns choose the arrivals of each phase, consistent with
/// the order in each warp. `phase` is indexed like `events`, which belong to one CTA; entries of events
/// without a count are left unchanged. `diverges` is by event; a barrier whose warp diverges never completes.
/// Throws Unsupported for unknown barrier numbers or counts, and for a barrier with several counts.
void choose_warp_phases(const EventStructure&, TermGraph&, const std::vector<Bits>& diverges,
                        const std::vector<EventId>& events, std::vector<Bits>& phase, BarrierPhases&);

}  // namespace ptxmc
