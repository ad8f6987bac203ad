#pragma once

#include <span>

#include "semantics/values/bits.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

/// A number of any format as f64, exactly. It has the width of its format; of a tf32 the upper 19 bits count.
Bits widen_to_f64(FloatFormat from, const Bits& a);

/// c + Σ a[i] · b[i] for numbers of f64, as a number of another format of IEEE 754. The products must be
/// exact, which those of numbers with at most 26 digits are. For constants the sum is exact before it is
/// rounded to the nearest even number. For terms each addition, in this order, is rounded to f64 first.
Bits rounded_sum_of_products(FloatFormat to, const Bits& c, std::span<const Bits> a, std::span<const Bits> b);

}  // namespace ptxmc
