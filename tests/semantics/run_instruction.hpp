#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "semantics/language/form.hpp"
#include "semantics/language/instruction.hpp"
#include "semantics/language/instruction_set.hpp"
#include "semantics/language/no_effects.hpp"

namespace ptxmc::test {

/// The width of an operand's registers: that of its type, an equal part of `mov`'s type, or 64 bits.
inline unsigned register_width(const Form& form, const FormOperand& operand) {
  if (operand.type.width != 0) return operand.type.width;
  return operand.elements != 0 && form.width() != 0 ? form.width() / operand.elements : 64;
}

/// Executes a form on its sources in the order of the syntax, elements of vectors one by one, hidden sources
/// last; a sink has none. Returns the destinations in the same way.
inline std::vector<Bits> run(const Form& form, const std::vector<Bits>& sources, Effects& effects) {
  Instruction instruction;
  instruction.form = &form;
  instruction.text = form.spelling;
  std::vector<Bits> registers;
  std::vector<RegisterId> destinations;
  std::size_t next = 0;
  const auto add_register = [&](const FormOperand& operand) -> Operand {
    const auto id = static_cast<RegisterId>(registers.size());
    if (operand.is_destination) {
      destinations.push_back(id);
      registers.emplace_back(register_width(form, operand), 0);
    } else {
      registers.push_back(sources.at(next++));
    }
    return {Operand::Register{id}};
  };
  for (const FormOperand& operand : form.operands) {
    if (!operand.is_hidden && operand.pattern->is_constant) {
      instruction.operands.push_back({Operand::Immediate{sources.at(next++)}});
    } else if (operand.elements != 0) {
      Operand::Vector vector;
      for (unsigned i = 0; i < operand.elements; ++i) vector.elements.push_back(add_register(operand));
      instruction.operands.push_back({vector});
    } else if (!operand.is_hidden && operand.pattern->kind == OperandPattern::Kind::address) {
      const auto id = static_cast<RegisterId>(registers.size());
      registers.push_back(sources.at(next++));
      instruction.operands.push_back({Operand::Address{id, Bits(64, 0)}});
    } else if (!operand.is_hidden && operand.pattern->name == "_") {
      instruction.operands.push_back({Operand::Sink{}});
    } else {
      instruction.operands.push_back(add_register(operand));
    }
  }
  execute(instruction, registers, effects);
  std::vector<Bits> results;
  for (RegisterId id : destinations) results.push_back(registers[id]);
  return results;
}

/// Matches an instruction with this number of operands, which are registers, or constants where the syntax
/// requires them.
inline Match match_scalar(const std::string& spelling, std::size_t operands) {
  std::vector<OperandShape> shapes(operands);
  Match match = ptx().match(spelling, shapes);
  for (std::size_t i = 0; i < operands && !match && match.operand < operands; ++i) {
    shapes[match.operand].kind = OperandShape::Kind::immediate;
    match = ptx().match(spelling, shapes);
  }
  return match;
}

/// The first destination of an instruction on constants, each as wide as its operand's type:
/// `evaluate("sad.u32", {7, 9, 1})`. Not for instructions with vectors.
inline u128 evaluate(const std::string& spelling, const std::vector<u128>& inputs) {
  for (std::size_t destinations = 1; destinations <= 2; ++destinations) {
    const Match match = match_scalar(spelling, inputs.size() + destinations);
    if (!match) continue;
    std::vector<Bits> sources;
    for (const FormOperand& operand : match.form->operands)
      if (!operand.is_destination && !operand.is_hidden)
        sources.emplace_back(operand.type.width == 0 ? 64 : operand.type.width, inputs.at(sources.size()));
    if (sources.size() != inputs.size()) continue;
    NoEffects effects;
    return run(*match.form, sources, effects).at(0).value();
  }
  throw std::invalid_argument(spelling + ": " + match_scalar(spelling, inputs.size() + 1).error);
}

}  // namespace ptxmc::test
