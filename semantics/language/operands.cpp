#include "semantics/language/operands.hpp"

#include "semantics/language/form.hpp"

namespace ptxmc {

const Bits& Operands::operator[](std::string_view name) const {
  static const Bits absent;
  if (name.size() == 1) {
    switch (name[0]) {
      case 'a':
        return a;
      case 'b':
        return b;
      case 'c':
        return c;
      case 'd':
        return d;
      default:
        break;
    }
  }
  std::size_t place = 0;
  for (const FormOperand& operand : form->operands) {
    if (operand.place != FormOperand::Place::other) continue;
    if (operand.name() == name) return others[place];
    ++place;
  }
  return absent;
}

}  // namespace ptxmc
