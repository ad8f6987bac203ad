#pragma once

#include <vector>

#include "semantics/language/notation.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::syntax {

/// An operand as counted by instruction forms: `p|q` and `[a, c]` are two operands each.
struct CountedOperand {
  const Operand* operand = nullptr;
  OperandPattern::Link link = OperandPattern::Link::comma;
  bool is_address = false;  ///< the first part of `[a, c]`
};

/// Appends the operands of an instruction in the order of the syntax.
void count_operands(const Instruction&, std::vector<CountedOperand>&);

}  // namespace ptxmc::syntax
