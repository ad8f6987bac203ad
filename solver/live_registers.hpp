#pragma once

#include <span>
#include <vector>

#include "solver/control_flow_graph.hpp"

namespace ptxmc {

/// For each node, the registers whose values can still matter: those that feed effects, branches that decide
/// whether there are any, or the final state. A register that only feeds itself, a `nanosleep`, a branch
/// over one, or nothing is not among them. `uses`: of each instruction.
std::vector<std::vector<bool>> live_registers(std::span<const Instruction> code,
                                              std::span<const RegisterUse> uses, const ControlFlowGraph&,
                                              std::size_t register_count,
                                              std::span<const RegisterId> observed);

}  // namespace ptxmc
