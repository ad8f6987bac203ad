#include "solver/unfolding/function_body.hpp"

#include "solver/unfolding/live_registers.hpp"

namespace ptxmc {

std::vector<RegisterUse> register_uses(std::span<const Instruction> code) {
  std::vector<RegisterUse> uses;
  uses.reserve(code.size());
  for (const Instruction& instruction : code) uses.push_back(register_use(instruction));
  return uses;
}

FunctionBody function_body(std::span<const Instruction> code, std::vector<RegisterUse> uses,
                           std::size_t register_count, std::span<const RegisterId> observed,
                           unsigned number) {
  ControlFlowGraph flow(code);
  auto live = live_registers(code, uses, flow, register_count, observed);
  return {code, std::move(uses), std::move(flow), std::move(live), number};
}

}  // namespace ptxmc
