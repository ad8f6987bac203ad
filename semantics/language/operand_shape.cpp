#include "semantics/language/operand_shape.hpp"

namespace ptxmc {

OperandShape shape_of(const Operand& operand) {
  using Kind = OperandShape::Kind;
  if (const auto* r = std::get_if<Operand::Register>(&operand.is))
    return {.kind = Kind::register_, .negated = r->negated};
  if (const auto* vector = std::get_if<Operand::Vector>(&operand.is))
    return {.kind = Kind::vector, .elements = static_cast<unsigned>(vector->elements.size())};
  if (std::holds_alternative<Operand::Immediate>(operand.is)) return {Kind::immediate};
  if (std::holds_alternative<Operand::Address>(operand.is)) return {Kind::address};
  if (std::holds_alternative<Operand::Label>(operand.is)) return {Kind::label};
  return {Kind::sink};
}

}  // namespace ptxmc
