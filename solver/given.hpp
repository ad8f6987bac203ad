#pragma once

#include "semantics/bits.hpp"

namespace ptxmc {

/// What a value is where a condition (width 1) holds, as far as the parts of the condition say it: those
/// joined by `&` are true, and where one is `x == 3`, x is 3.
Bits given(const Bits& condition, const Bits& value);

/// Their parts show that two conditions (width 1) never hold both.
bool exclude_each_other(const Bits& a, const Bits& b);

}  // namespace ptxmc
