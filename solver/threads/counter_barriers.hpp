#pragma once

#include <vector>

#include "solver/smt_engine/answers.hpp"
#include "solver/threads/open_counters.hpp"

namespace ptxmc {

/// Finds barriers that threads build from a counter: some threads of each CTA add to it once, and threads
/// poll it until all have added, like the barriers of grids of cooperative groups. One counter may serve
/// several barriers, one after the other.
///
/// It must be shown that a poll ends the wait if all additions of the barrier are performed, and only then.
/// Each thread adds before it polls, so that all waits end if their threads get there. What decides about the
/// end of such a wait is then replaced in the events of the thread: the wait ends.
std::vector<FullCounter> end_waits_at_counters(OpenThread&, const DecideOptions&, TermGraph&);

}  // namespace ptxmc
