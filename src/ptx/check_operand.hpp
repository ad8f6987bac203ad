#pragma once

#include <span>

#include "src/ptx/check_context.hpp"
#include "src/ptx/counted_operands.hpp"

namespace ptxmc::syntax {

/// Checks the operands of an instruction, in the order and number of its form, against the form: types (PTX
/// ISA 8.7 § 9.4), vectors, immediate values, addresses and their state spaces.
void check_operands(CheckContext&, const Instruction&, std::span<const CountedOperand>);

/// Whether a symbol is a register, including special registers.
bool is_register(const Symbol&);

}  // namespace ptxmc::syntax
