#pragma once

#include <optional>

#include "semantics/language/form.hpp"
#include "src/ptx/constant.hpp"

/// Which operands an instruction type takes: PTX ISA 8.7 § 9.4.
namespace ptxmc::syntax {

/// Types that registers and variables may have; alternate formats are held in bits (§ 5.2.1, § 5.2.3).
bool is_fundamental(Modifier type);

/// The type that an instruction requires of an operand.
struct InstructionType {
  Type type;                         ///< kind none: anything
  std::optional<Modifier> modifier;  ///< the modifier that names the type; empty for `2 * .type`
  bool may_be_wider = false;         ///< ld, st, cvt: operands may be wider (§ 9.4.1)
};
InstructionType instruction_type(const Form&, const FormOperand&);

/// Tables 25 to 27: whether a register that is declared with a type may be used.
bool agrees(const InstructionType&, Modifier declared);

/// § 4.5: whether the constant may be used.
bool agrees(const InstructionType&, const Constant&);

/// `.u32`, or `.b64` for a widened type; for messages.
std::string name_of(const InstructionType&);

}  // namespace ptxmc::syntax
