#pragma once

#include <string>

#include "semantics/values/bits.hpp"

namespace ptxmc {

// The text of terms with floating-point operators (used by term_text.cpp).

bool is_float_operator(Operator);

/// The name in printed terms: "fma.rn.f32", "f16_from_f32.rz", "u32_from_f64.rz", "sin.approx.f32".
std::string float_function_name(const Term&);

/// The SMT-LIB 2 text before and after the operands of a term, each of which is a bit-vector.
struct FloatText {
  std::string before, before_operand, after_operand, after;
};
FloatText float_smtlib(const Term&);

/// "(_ FloatingPoint 8 24)"
std::string float_sort(FloatFormat);

}  // namespace ptxmc
