#pragma once

#include "semantics/values/bits.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

// Operations on floating-point numbers that need only their bits. Formats are those with the special values
// of IEEE 754 (f16, bf16, f32, f64, tf32, e5m2) unless a comment says otherwise.

Bits float_sign(const Bits& a);  ///< width 1; the format has a sign
/// |a|: the sign bit is cleared.
Bits float_magnitude(const Bits& a);
Bits with_sign(const Bits& sign, const Bits& a);
Bits float_opposite(const Bits& a);  ///< -a: the sign bit is inverted, also of a NaN

Bits infinity(FloatFormat);
/// The highest finite number, positive; of any format.
Bits highest_finite(FloatFormat);
Bits one(FloatFormat);

Bits is_nan(FloatFormat, const Bits& a);
Bits is_infinite(FloatFormat, const Bits& a);
Bits is_float_zero(const Bits& a);
Bits is_subnormal(FloatFormat, const Bits& a);  ///< not zero

/// Comparisons of IEEE 754: false if an operand is NaN; −0 = +0.
Bits float_equal(FloatFormat, const Bits& a, const Bits& b);
Bits float_less(FloatFormat, const Bits& a, const Bits& b);

/// PTX ISA 8.7 § 9.7.3, `.ftz`: a subnormal number becomes a zero of its sign.
Bits flush_subnormal(FloatFormat, const Bits& a);
/// `.sat`: clamped to [0.0, 1.0]; NaN is +0.
Bits saturate_to_unit(FloatFormat, const Bits& a);
/// `.relu`: a negative number is 0; NaN is the canonical NaN.
Bits clamp_negative(FloatFormat, const Bits& a);
/// `.satfinite`: an infinity becomes the highest finite number with the same sign.
Bits clamp_infinity(FloatFormat, const Bits& a);

/// The rank of a number among all numbers of its format, a signed integer that is one bit wider: the ranks of
/// neighbours differ by 1. −0 and +0 have the same rank.
Bits float_position(const Bits& a);

}  // namespace ptxmc
