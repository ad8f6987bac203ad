#pragma once

#include <span>

#include "semantics/values/bits.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

/// A number of any format as f64, exactly. It has the width of its format; of a tf32 the upper 19 bits count.
Bits widen_to_f64(FloatFormat from, const Bits& a);

/// How a sum of products may be computed: PTX ISA 8.7 § 9.7.14.5.14, "the accumulation order, rounding and
/// handling of subnormal inputs are unspecified".
struct SumOfProducts {
  FloatFormat format = FloatFormat::f32;  ///< of the sum, one of IEEE 754
  double least_factor = 0;                ///< a factor with a smaller magnitude may count as zero
  double least_addend = 0;                ///< the same of c
  /// Whether each step has at least the precision of the format. Otherwise a sum that is not exact may be any
  /// number.
  bool has_known_precision = true;
};

/// c + Σ a[i] · b[i] for numbers of f64, as a number of another format of IEEE 754. The products must be
/// exact, which those of numbers with at most 26 digits are. For constants the sum is exact before it is
/// rounded to the nearest even number. For terms it is one of the values that any order and rounding of the
/// steps may give (Approximation::sum): the sum in f64, in this order, if all partial sums of any order have
/// the precision of the format and nothing is subnormal.
Bits sum_of_products(const SumOfProducts&, const Bits& c, std::span<const Bits> a, std::span<const Bits> b);

/// The same where `sum`, a number of f64, is one of the values. A constant sum is not changed.
Bits sum_in_any_order(const SumOfProducts&, const Bits& sum, const Bits& c, std::span<const Bits> a,
                      std::span<const Bits> b);

}  // namespace ptxmc
