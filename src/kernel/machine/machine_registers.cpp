// Registers that hold bytes which no thread has written.
#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

const RegisterUse& Machine::use_of_registers(const Instruction& instruction) {
  const auto [use, is_new] = register_uses_.try_emplace(&instruction);
  if (is_new) use->second = register_use(instruction);
  return use->second;
}

/// The value of something else than a copy: a finding for each byte that was not written.
Bits Machine::use(const Bits& value) {
  unwritten_.for_each_finding(value, [&](const Finding& finding) { note(finding); });
  return unwritten_.concrete(value);
}

/// Instructions with effects, beside stores, use the values of their operands. What others compute may be a
/// copy: use_results.
void Machine::use_operands(const Instruction& instruction, std::vector<Bits>& registers) {
  const RegisterUse& operands = use_of_registers(instruction);
  for (const RegisterId id : operands.address)
    if (!registers[id].is_constant()) registers[id] = use(registers[id]);
  if (!has_effects(instruction) || instruction.form->line->opcode == "st") return;
  for (const RegisterId id : operands.data)
    if (!registers[id].is_constant()) registers[id] = use(registers[id]);
}

/// A result that is no copy has used its operands, and a load of unwritten bytes alone is a use of them.
void Machine::use_results(const Instruction& instruction, std::vector<Bits>& registers) {
  const bool loads_nothing = loaded_.lacks_some && !loaded_.is_any_written;
  for (const RegisterId id : use_of_registers(instruction).written)
    if (loads_nothing || !UnwrittenBytes::is_copy(registers[id])) registers[id] = use(registers[id]);
}

}  // namespace ptxmc::kernel
