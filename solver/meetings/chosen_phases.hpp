#pragma once

#include <vector>

#include "solver/meetings/barrier_phases.hpp"

namespace ptxmc {

/// The phases with unknowns for the choices of each execution: with a thread count, which arrivals form a
/// phase (counted_barriers.hpp); without one, whether a thread goes on (uncounted_barriers.hpp). Throws
/// Unsupported as CountedBarriers does.
BarrierPhases choose_barrier_phases(const EventStructure&, TermGraph&);

/// The phases if the phase of each event is known; -1: in no phase.
BarrierPhases known_barrier_phases(const EventStructure&, const std::vector<int>& phase);

}  // namespace ptxmc
