#include "src/litmus/c_code.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "semantics/language/no_effects.hpp"
#include "src/litmus/c_instructions.hpp"
#include "src/litmus/c_words.hpp"

namespace ptxmc {

namespace {

using c_syntax::CType;

/// The bits of a value of the type, extended to 64.
Bits extended(const Bits& value, const CType& type) {
  const Bits narrow = value.resize_unsigned(type.width);
  return type.is_signed ? narrow.resize_signed(64) : narrow.resize_unsigned(64);
}

/// Whether every value of one type is a value of the other, with the same 64 bits.
bool holds_all(const CType& from, const CType& to) {
  if (to.width == 64 || to.is_pointer) return true;
  if (from.is_pointer) return false;
  if (from.width == to.width) return from.is_signed == to.is_signed;
  return from.width < to.width && (!from.is_signed || to.is_signed);
}

}  // namespace

CValue constant_value(std::uint64_t value, const CType& type) {
  Bits bits(64, value);
  if (!type.is_pointer && type.width < 64) bits = extended(bits, type);
  return {{Operand::Immediate{bits}}, type};
}

void CCode::set_source(SourcePosition where, std::string text) {
  where_ = where;
  text_ = std::move(text);
}

RegisterId CCode::add_register(const std::string& name, std::uint64_t initial) {
  thread_.register_names.push_back(name);
  thread_.initial_registers.emplace_back(64, initial);
  known_.emplace_back(64, initial);
  return static_cast<RegisterId>(thread_.register_names.size() - 1);
}

RegisterId CCode::temporary(unsigned width) {
  const RegisterId made = add_register(fmt::format("%{}", temporaries_++));
  if (width != 64) thread_.initial_registers[made] = known_[made] = Bits(width, 0);
  return made;
}

Instruction CCode::made(const InstructionSet& set, const std::string& spelling,
                        std::vector<Operand> operands) const {
  std::vector<OperandShape> shapes;
  for (const Operand& operand : operands) shapes.push_back(shape_of(operand));
  const Match match = set.match(spelling, shapes);
  if (!match) throw std::logic_error(fmt::format("{}: {}", spelling, match.error));
  Instruction instruction;
  instruction.form = match.form;
  instruction.operands = std::move(operands);
  instruction.where = where_;
  instruction.text = text_;
  return instruction;
}

CValue CCode::value_of(RegisterId id, const CType& type) const {
  if (known_[id].is_constant()) return {{Operand::Immediate{known_[id]}}, type};
  return {{Operand::Register{id}}, type};
}

void CCode::assign(RegisterId id, const CValue& value) {
  Instruction move = made(ptx(), "mov.b64", {{Operand::Register{id}}, value.operand});
  NoEffects none;
  execute(move, known_, none);
  thread_.code.push_back(std::move(move));
}

CValue CCode::compute(const std::string& spelling, std::vector<Operand> sources, const CType& type) {
  const RegisterId result = temporary(64);
  sources.insert(sources.begin(), Operand{Operand::Register{result}});
  Instruction instruction = made(ptx(), spelling, std::move(sources));
  NoEffects none;
  execute(instruction, known_, none);
  if (known_[result].is_constant()) return value_of(result, type);
  thread_.code.push_back(std::move(instruction));
  return {{Operand::Register{result}}, type};
}

bool CCode::are_same(const CValue& a, const CValue& b) const {
  const auto known = [&](const CValue& value) {
    const auto* held = std::get_if<Operand::Register>(&value.operand.is);
    return held ? known_[held->id] : std::get<Operand::Immediate>(value.operand.is).value;
  };
  return identical(known(a), known(b));
}

CValue CCode::converted(const CValue& value, const CType& to) {
  if (to.is_bool && !value.type.is_bool) {
    CValue result = truth(test("setp.ne.s64", {value.operand, {Operand::Immediate{Bits(64, 0)}}}));
    result.type = to;
    return result;
  }
  CValue result = value;
  result.type = to;
  if (holds_all(value.type, to)) return result;
  return compute(fmt::format("cvt.{}64.{}", to.is_signed ? 's' : 'u', type_text(to)), {value.operand}, to);
}

Operand CCode::test(const std::string& spelling, std::vector<Operand> sources) {
  const RegisterId result = temporary(1);
  sources.insert(sources.begin(), Operand{Operand::Register{result}});
  Instruction instruction = made(ptx(), spelling, std::move(sources));
  NoEffects none;
  execute(instruction, known_, none);
  if (known_[result].is_constant()) return {Operand::Immediate{known_[result]}};
  thread_.code.push_back(std::move(instruction));
  return {Operand::Register{result}};
}

Operand CCode::weak_failure() {
  const RegisterId result = temporary(1);
  thread_.code.push_back(made(cpp_instructions(), "weak_cas_fails", {{Operand::Register{result}}}));
  known_[result] = graph_->variable(1, thread_.register_names[result]);
  return {Operand::Register{result}};
}

CValue CCode::truth(const Operand& predicate) {
  if (const auto* known = std::get_if<Operand::Immediate>(&predicate.is))
    return constant_value(known->value.to_u64(), CType());
  const Operand one{Operand::Immediate{Bits(64, 1)}}, zero{Operand::Immediate{Bits(64, 0)}};
  return compute("selp.b64", {one, zero, predicate}, CType());
}

void CCode::access(const std::string& spelling, std::vector<Operand> operands) {
  thread_.code.push_back(made(cpp_instructions(), spelling, std::move(operands)));
  ++accesses_;
}

CValue CCode::access_with_result(const std::string& spelling, std::vector<Operand> sources,
                                 const CType& type) {
  const RegisterId result = temporary(64);
  sources.insert(sources.begin(), Operand{Operand::Register{result}});
  access(spelling, std::move(sources));
  known_[result] = graph_->variable(64, thread_.register_names[result]);
  return {{Operand::Register{result}}, type};
}

void CCode::effect(const std::string& spelling, std::vector<Operand> operands) {
  thread_.code.push_back(made(ptx(), spelling, std::move(operands)));
  ++accesses_;
}

CCode::Jump CCode::jump() {
  thread_.code.push_back(made(ptx(), "bra", {{Operand::Label{0}}}));
  return thread_.code.size() - 1;
}

CCode::Jump CCode::jump_if(const Operand& predicate, bool value) {
  const Jump result = jump();
  thread_.code.back().guard = Guard{std::get<Operand::Register>(predicate.is).id, !value};
  return result;
}

void CCode::set_target(Jump jump, Target target) {
  std::get<Operand::Label>(thread_.code[jump].operands.front().is).target = target;
}

void CCode::join(const Knowledge& other) {
  for (std::size_t id = 0; id < known_.size(); ++id)
    if (id >= other.size() || !identical(known_[id], other[id]))
      known_[id] = graph_->variable(known_[id].width(), thread_.register_names[id]);
}

void CCode::forget() { join({}); }

}  // namespace ptxmc
