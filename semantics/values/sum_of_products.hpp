#pragma once

#include <span>

#include "semantics/values/bits.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

/// A number of any format as f64, exactly. It has the width of its format; of a tf32 the upper 19 bits count.
Bits widen_to_f64(FloatFormat from, const Bits& a);

/// c + Σ a[i] · b[i] for numbers of f64, one addition after the other, each rounded to the nearest even
/// number. The products must be exact, which those of numbers with at most 26 digits are.
Bits sum_of_exact_products(const Bits& c, std::span<const Bits> a, std::span<const Bits> b);

}  // namespace ptxmc
