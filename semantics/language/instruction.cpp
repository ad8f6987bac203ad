#include "semantics/language/instruction.hpp"

#include <algorithm>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

namespace {

/// The value with the width of the operand's type: PTX ISA 8.7 § 9.4.1, wider sources are truncated.
Bits as_type(const Bits& value, const Type& type) {
  if (type.width == 0 || value.width() == type.width) return value;
  return type.is_signed() ? value.resize_signed(type.width) : value.resize_unsigned(type.width);
}

Bits address_of(const Operand::Address& address, const std::vector<Bits>& registers) {
  if (!address.base) return address.offset;
  return registers[*address.base].resize_unsigned(64) + address.offset;
}

Bits scalar_value(const Operand& operand, const std::vector<Bits>& registers) {
  if (const auto* r = std::get_if<Operand::Register>(&operand.is))
    return r->negated ? ~registers[r->id] : registers[r->id];
  if (const auto* immediate = std::get_if<Operand::Immediate>(&operand.is)) return immediate->value;
  if (const auto* address = std::get_if<Operand::Address>(&operand.is))
    return address_of(*address, registers);
  return {};
}

/// A pointer to a source value that needs no conversion; null if it needs one.
const Bits* unchanged_value(const Operand& operand, const Type& type, const std::vector<Bits>& registers) {
  const Bits* value = nullptr;
  if (const auto* r = std::get_if<Operand::Register>(&operand.is)) {
    if (!r->negated) value = &registers[r->id];
  } else if (const auto* immediate = std::get_if<Operand::Immediate>(&operand.is)) {
    value = &immediate->value;
  }
  return value != nullptr && (type.width == 0 || value->width() == type.width) ? value : nullptr;
}

void read_value(const Operand& actual, const Type& type, const std::vector<Bits>& registers, Bits& value) {
  if (const Bits* unchanged = unchanged_value(actual, type, registers)) {
    value =
        *unchanged;  // most operands: `run` executes millions of instructions a second, and avoids the copy
  } else {
    value = as_type(scalar_value(actual, registers), type);
  }
}

void read_operand(const FormOperand& formal, const Operand& actual, const std::vector<Bits>& registers,
                  Operands& operands) {
  using Place = FormOperand::Place;
  switch (formal.place) {
    case Place::none:
      return;
    case Place::a:
      return read_value(actual, formal.type, registers, operands.a);
    case Place::b:
      return read_value(actual, formal.type, registers, operands.b);
    case Place::c:
      return read_value(actual, formal.type, registers, operands.c);
    case Place::d:
      return read_value(actual, formal.type, registers, operands.d);
    case Place::other:
      operands.others.push_back(as_type(scalar_value(actual, registers), formal.type));
      return;
    case Place::elements:
      for (const Operand& element : std::get<Operand::Vector>(actual.is).elements)
        operands.elements.push_back(as_type(scalar_value(element, registers), formal.type));
      return;
  }
}

/// PTX ISA 8.7 § 9.4.1: a wider destination is sign-extended for signed types, else zero-extended.
void write_register(const Operand& destination, const Type& type, const Bits& value,
                    std::vector<Bits>& registers) {
  const auto* r = std::get_if<Operand::Register>(&destination.is);
  if (r == nullptr) return;  // `_`
  Bits& target = registers[r->id];
  if (value.width() == target.width()) {
    target = value;
  } else {
    target = type.is_signed() ? value.resize_signed(target.width()) : value.resize_unsigned(target.width());
  }
}

void add_once(std::vector<RegisterId>& ids, RegisterId id) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
}

void add_registers(const Operand& operand, std::vector<RegisterId>& ids) {
  if (const auto* r = std::get_if<Operand::Register>(&operand.is)) add_once(ids, r->id);
  if (const auto* vector = std::get_if<Operand::Vector>(&operand.is))
    for (const Operand& element : vector->elements) add_registers(element, ids);
}

void add_targets(const Operand& operand, std::vector<Target>& targets) {
  if (const auto* label = std::get_if<Operand::Label>(&operand.is)) targets.push_back(label->target);
  if (const auto* vector = std::get_if<Operand::Vector>(&operand.is))
    for (const Operand& element : vector->elements) add_targets(element, targets);
}

}  // namespace

RegisterUse register_use(const Instruction& instruction) {
  RegisterUse use;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    if (const auto* address = std::get_if<Operand::Address>(&operand.is)) {
      if (address->base) add_once(use.address, *address->base);
      continue;
    }
    const bool is_destination = instruction.form->operands[i].is_destination;
    add_registers(operand, is_destination ? use.written : use.data);
    // § 9.7.15.5.2: D is an accumulator.
    if (is_destination && instruction.form->line->opcode == "wgmma") add_registers(operand, use.data);
  }
  return use;
}

ControlFlow control_flow(const Instruction& instruction) {
  const Flow flow = instruction.form->definition->flow;
  ControlFlow result;
  result.falls_through = instruction.guard.has_value() || flow == Flow::next || flow == Flow::branch;
  if (flow == Flow::branch || flow == Flow::jump)
    for (const Operand& operand : instruction.operands) add_targets(operand, result.targets);
  return result;
}

bool has_effects(const Instruction& instruction) { return instruction.form->definition->rule.has_effects(); }

bool only_waits(const Instruction& instruction) { return instruction.form->definition->only_waits; }

void write_results(const Instruction& instruction, const Results& results, std::vector<Bits>& registers) {
  std::size_t next = 0;
  const auto take = [&]() -> const Bits& {
    if (next == results.size()) throw std::logic_error("a rule without enough results: " + instruction.text);
    return results[next++];
  };
  const FormOperand* formal = instruction.form->operands.data();
  for (const Operand& actual : instruction.operands) {
    const FormOperand& destination = *formal++;
    if (!destination.is_destination) continue;
    if (const auto* vector = std::get_if<Operand::Vector>(&actual.is)) {
      for (const Operand& element : vector->elements)
        write_register(element, destination.type, take(), registers);
    } else {
      write_register(actual, destination.type, take(), registers);
    }
  }
}

void execute(const Instruction& instruction, std::vector<Bits>& registers, Effects& effects) {
  const Form& form = *instruction.form;
  if (!form.definition->rule) throw Unsupported(form.spelling, instruction.where);
  Operands operands;
  operands.form = &form;
  operands.written = instruction.operands;
  const FormOperand* formal = form.operands.data();
  for (const Operand& actual : instruction.operands) read_operand(*formal++, actual, registers, operands);
  try {
    const Results results = form.definition->rule(form, operands, effects);
    if (!results.is_pending()) write_results(instruction, results, registers);
  } catch (const UnhandledEffect& unhandled) {
    throw Unsupported(form.spelling, unhandled.reason, instruction.where);
  }
}

}  // namespace ptxmc
