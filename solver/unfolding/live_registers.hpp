#pragma once

#include <span>
#include <vector>

#include "solver/unfolding/control_flow_graph.hpp"

namespace ptxmc {

/// For each node the live registers: those whose values influence effects, branches that decide about
/// effects, or the final state. A register that only influences itself, a `nanosleep` or a branch around one
/// is not live. `uses` are the registers of each instruction.
std::vector<std::vector<bool>> live_registers(std::span<const Instruction> code,
                                              std::span<const RegisterUse> uses, const ControlFlowGraph&,
                                              std::size_t register_count,
                                              std::span<const RegisterId> observed);

}  // namespace ptxmc
