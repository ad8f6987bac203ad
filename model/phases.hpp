#pragma once

#include <string>
#include <vector>

#include "model/execution.hpp"

namespace ptxmc {

/// What is wrong with the barrier phases of an execution, in sentences; empty: nothing.
///
/// The threads go through their barriers once more, with the rule of semantics/barrier_phase.hpp: each phase
/// must become complete with its own arrivals and no other ones, in some order that follows program order; and
/// where it is known how all threads end, none may wait for ever at a phase that is complete. How threads of a
/// warp diverge at aligned barriers is not looked at. Of executions whose phases can follow each other in very
/// many orders only some orders are tried, and nothing is said.
std::vector<std::string> malformed_phases(const Execution&);

}  // namespace ptxmc
