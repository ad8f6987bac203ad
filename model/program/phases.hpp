#pragma once

#include <string>
#include <vector>

#include "model/program/execution.hpp"

namespace ptxmc {

/// The errors in the barrier phases of an execution, as sentences.
///
/// The threads pass their barriers again under the rule of semantics/language/barrier_phase.hpp. In some
/// order that respects program order, each phase must complete with exactly its own arrivals. If the endings
/// of all threads are known, no thread may wait for ever at a complete phase. Divergence at aligned barriers
/// is not checked; a warp that diverges at a barrier does not arrive there any more. If the phases may follow
/// each other in very many orders, only some orders are tried, and no error is reported.
std::vector<std::string> malformed_phases(const Execution&);

}  // namespace ptxmc
