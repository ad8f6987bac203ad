#pragma once

#include <span>
#include <vector>

#include "solver/control_flow_graph.hpp"

namespace ptxmc {

/// Code, and what its unfolding asks of it. One serves all threads that run it.
struct FunctionBody {
  std::span<const Instruction> code;
  std::vector<RegisterUse> uses;  ///< of each instruction
  ControlFlowGraph flow;
  std::vector<std::vector<bool>> live;  ///< see live_registers
  unsigned number = 0;                  ///< tells the functions of a program apart
};

/// The registers of each instruction.
std::vector<RegisterUse> register_uses(std::span<const Instruction>);

/// `observed`: the registers that still matter at the end.
FunctionBody function_body(std::span<const Instruction>, std::vector<RegisterUse>, std::size_t register_count,
                           std::span<const RegisterId> observed, unsigned number);

}  // namespace ptxmc
