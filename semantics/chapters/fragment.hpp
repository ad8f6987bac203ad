#pragma once

#include <string_view>

#include "semantics/language/form.hpp"

namespace ptxmc {

/// The number of registers of a matrix fragment that one thread holds, for the operands `d`, `a`, `b`, `c` of
/// mma, mma.sp, wmma and wgmma, and for `r` of the instructions that move matrices. 0 if the operand is not a
/// fragment. PTX ISA 8.7 § 9.7.14.4.1, § 9.7.14.5, § 9.7.14.6.2, § 9.7.15.5, § 9.7.16.7.
unsigned fragment_registers(const Form&, std::string_view operand);

}  // namespace ptxmc
