#include "src/instruction/evaluation.hpp"

#include <algorithm>

#include "semantics/diagnostic.hpp"
#include "semantics/float_value.hpp"
#include "semantics/no_effects.hpp"

namespace ptxmc {

Evaluation::Evaluation(std::vector<ResolvedInstruction> instructions, SourcePosition where) {
  carry_ = add_register(1);
  for (std::size_t i = 0; i < instructions.size(); ++i)
    add(instructions[i], i + 1 == instructions.size(), where);
}

RegisterId Evaluation::add_register(unsigned width) {
  registers_.emplace_back(width, 0);
  return static_cast<RegisterId>(registers_.size() - 1);
}

RegisterId Evaluation::add_source(unsigned width, const std::string& name) {
  sources_.push_back(add_register(width));
  source_widths_.push_back(width);
  source_names_.push_back(name);
  return sources_.back();
}

ptxmc::Operand Evaluation::add_operand(const FormOperand& formal, const InstructionText::Operand& actual,
                                       bool is_last) {
  const unsigned width = formal.type.width == 0 ? 64 : formal.type.width;
  if (actual.number) return {Operand::Immediate{Bits(width, *actual.number)}};
  if (actual.shape.kind == OperandShape::Kind::sink) return {Operand::Sink{}};
  if (actual.shape.kind == OperandShape::Kind::label) return {Operand::Label{0}};
  if (actual.shape.kind == OperandShape::Kind::address)
    return {Operand::Address{add_source(64, actual.name), Bits(64, 0)}};
  if (actual.shape.kind == OperandShape::Kind::vector) {
    Operand::Vector vector;
    InstructionText::Operand element = actual;
    element.shape.kind = OperandShape::Kind::register_;
    for (unsigned i = 0; i < actual.shape.elements; ++i) {
      element.name = actual.name + std::to_string(i);
      vector.elements.push_back(add_operand(formal, element, is_last));
    }
    return {vector};
  }
  if (!formal.is_destination)
    return {Operand::Register{add_source(width, actual.name), actual.shape.negated}};
  // § 6.5.1, § 5.2.2: registers of less than 16 bits do not exist, predicates apart.
  const unsigned register_width = width == 1 ? 1 : std::max(width, 16U);
  const RegisterId id = add_register(register_width);
  if (is_last) {
    const bool is_number = formal.type.format && formal.type.elements == 1;
    result_registers_.push_back(id);
    results_.push_back(
        {actual.name, register_width, is_number, formal.type.format.value_or(FloatFormat::f32)});
  }
  return {Operand::Register{id}};
}

void Evaluation::add(const ResolvedInstruction& resolved, bool is_last, SourcePosition where) {
  const Form& form = *resolved.form;
  if (!form.definition->rule) throw Unsupported(form.spelling, where);
  Instruction instruction;
  instruction.form = &form;
  instruction.where = where;
  instruction.text = form.spelling;
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    const FormOperand& formal = form.operands[i];
    if (formal.is_hidden) {
      instruction.operands.push_back({Operand::Register{carry_}});
      continue;
    }
    if (resolved.operands[i].shape.kind == OperandShape::Kind::list)
      throw Unsupported(form.spelling + " needs a program around it", where);
    instruction.operands.push_back(add_operand(formal, resolved.operands[i], is_last));
  }
  if (is_last && form.has(".tf32") && results_.size() == 1) results_[0].may_be_nan = true;
  instructions_.push_back(std::move(instruction));
}

std::span<const Bits> Evaluation::run(std::span<const Bits> sources) {
  NoEffects effects;
  try {
    return run(sources, effects);
  } catch (const UnexpectedEffect&) {
    const Instruction& instruction = instructions_.back();
    throw Unsupported(instruction.text + " has effects: it computes nothing by itself", instruction.where);
  }
}

std::span<const Bits> Evaluation::run(std::span<const Bits> sources, Effects& effects) {
  for (std::size_t i = 0; i < sources_.size(); ++i) registers_[sources_[i]] = sources[i];
  registers_[carry_] = Bits::boolean(false);
  for (const Instruction& instruction : instructions_) execute(instruction, registers_, effects);
  values_.clear();
  for (const RegisterId id : result_registers_) values_.push_back(registers_[id]);
  return values_;
}

bool is_nan_result(const Evaluation::Result& result, const Bits& value) {
  return result.may_be_nan && value.is_constant() && is_nan(result.format, value).is_true();
}

}  // namespace ptxmc
