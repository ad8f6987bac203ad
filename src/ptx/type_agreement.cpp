#include "src/ptx/type_agreement.hpp"

#include <fmt/format.h>

namespace ptxmc::syntax {

namespace {

/// § 9.4.1: data are truncated or extended if the register is wider. The same holds for surfaces, since no
/// register is as narrow as .b8.
bool allows_wider_operands(const Form& form) {
  const std::string& opcode = form.line->opcode;
  const bool is_asynchronous = form.has(".async") || form.has(".bulk");
  const bool is_surface = opcode == "suld" || opcode == "sust";
  return (opcode == "ld" || opcode == "ldu" || opcode == "st" || opcode == "cvt" || is_surface) &&
         !is_asynchronous;
}

}  // namespace

bool is_fundamental(Modifier type) {
  const Type described = type_of(type);
  switch (described.kind) {
    case Type::Kind::predicate:
      return true;
    case Type::Kind::bits:
    case Type::Kind::unsigned_integer:
    case Type::Kind::signed_integer:
      return described.width >= 8;
    case Type::Kind::floating:
      return type == Modifier(".f16") || type == Modifier(".f32") || type == Modifier(".f64");
    case Type::Kind::packed:
      return type == Modifier(".f16x2");
    default:
      return false;
  }
}

InstructionType instruction_type(const Form& form, const FormOperand& operand) {
  InstructionType wanted{operand.type, std::nullopt, allows_wider_operands(form)};
  if (operand.is_hidden || operand.pattern->type.widened) return wanted;
  const OperandType& declared = operand.pattern->type;
  if (declared.source == OperandType::Source::fixed) wanted.modifier = Modifier::find(declared.role);
  if (declared.source == OperandType::Source::role) wanted.modifier = form[declared.role];
  return wanted;
}

bool agrees(const InstructionType& wanted, Modifier declared) {
  const Type type = wanted.type;
  const Type operand = type_of(declared);
  if (type.kind == Type::Kind::none) return true;
  if (type.kind == Type::Kind::predicate || operand.kind == Type::Kind::predicate)
    return type.kind == operand.kind;
  const bool is_alternate = wanted.modifier && !is_fundamental(*wanted.modifier);
  const bool is_packed = type.kind == Type::Kind::packed;
  const bool same_size = operand.width == type.width;
  const bool fits =
      same_size || (wanted.may_be_wider && !is_packed && !is_alternate && operand.width > type.width);
  if (operand.kind == Type::Kind::bits) return fits;
  if (is_alternate) return false;  // § 5.2.3, § 5.2.4: declared as bits
  if (is_packed || type.is_float()) return wanted.modifier == declared;
  return fits && (type.kind == Type::Kind::bits || operand.is_integer());
}

bool agrees(const InstructionType& wanted, const Constant& constant) {
  const Type type = wanted.type;
  switch (type.kind) {
    case Type::Kind::none:
      return true;
    case Type::Kind::bits:  // exact bits of the same size; numbers would need a conversion
      return constant.is_integer() || (constant.kind == Constant::Kind::f32 && type.width == 32) ||
             (constant.kind == Constant::Kind::f64 && type.width == 64);
    case Type::Kind::floating:
      return !constant.is_integer() && type.width >= 32;
    case Type::Kind::packed:
    case Type::Kind::opaque:
      return false;
    default:
      return constant.is_integer();
  }
}

std::string name_of(const InstructionType& wanted) {
  if (wanted.modifier) return std::string(wanted.modifier->spelling());
  switch (wanted.type.kind) {
    case Type::Kind::predicate:
      return ".pred";
    case Type::Kind::signed_integer:
      return fmt::format(".s{}", wanted.type.width);
    case Type::Kind::unsigned_integer:
      return fmt::format(".u{}", wanted.type.width);
    case Type::Kind::floating:
      return fmt::format(".f{}", wanted.type.width);
    default:
      return fmt::format(".b{}", wanted.type.width);
  }
}

}  // namespace ptxmc::syntax
