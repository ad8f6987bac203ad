#pragma once

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// Simplifies a value under a condition (width 1) that holds: each operand of `&` in the condition is true,
/// its negation is false, and an operand `x == 3` replaces x by 3.
Bits simplify_under(const Bits& condition, const Bits& value);

/// Whether the operands of `&` in two conditions (width 1) show that they never both hold.
bool exclude_each_other(const Bits& a, const Bits& b);

}  // namespace ptxmc
