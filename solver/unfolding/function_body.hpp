#pragma once

#include <span>
#include <vector>

#include "solver/unfolding/control_flow_graph.hpp"

namespace ptxmc {

/// Code with the results of its analysis for unfolding. All threads that run the code share one FunctionBody.
struct FunctionBody {
  std::span<const Instruction> code;
  std::vector<RegisterUse> uses;  ///< of each instruction
  ControlFlowGraph flow;
  std::vector<std::vector<bool>> live;  ///< see live_registers
  unsigned number = 0;                  ///< unique among the functions of a program
};

/// The registers of each instruction.
std::vector<RegisterUse> register_uses(std::span<const Instruction>);

/// `observed` are the registers that are used after the end of the function.
FunctionBody function_body(std::span<const Instruction>, std::vector<RegisterUse>, std::size_t register_count,
                           std::span<const RegisterId> observed, unsigned number);

}  // namespace ptxmc
