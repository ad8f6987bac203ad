#pragma once

#include "semantics/bits.hpp"
#include "semantics/float_format.hpp"

namespace ptxmc {

// What can be said of a floating-point number, or done to it, by looking at its bits. Formats are those of
// IEEE 754 (f16, bf16, f32, f64, tf32, e5m2) unless said otherwise.

Bits float_sign(const Bits& a);  ///< width 1; of a signed format
/// Without its sign: |a|.
Bits float_magnitude(const Bits& a);
Bits with_sign(const Bits& sign, const Bits& a);
Bits float_opposite(const Bits& a);  ///< the other sign, of a NaN too

Bits infinity(FloatFormat);
/// The highest finite number, positive; of any format.
Bits highest_finite(FloatFormat);
Bits one(FloatFormat);

Bits is_nan(FloatFormat, const Bits& a);
Bits is_infinite(FloatFormat, const Bits& a);
Bits is_float_zero(const Bits& a);
Bits is_subnormal(FloatFormat, const Bits& a);  ///< not zero

/// As IEEE 754 has it: NaN is in no order, −0 = +0.
Bits float_equal(FloatFormat, const Bits& a, const Bits& b);
Bits float_less(FloatFormat, const Bits& a, const Bits& b);

/// PTX ISA 8.7 § 9.7.3, `.ftz`: a subnormal number becomes a zero of its sign.
Bits flush_subnormal(FloatFormat, const Bits& a);
/// `.sat`: clamped to [0.0, 1.0]; NaN is +0.
Bits saturate_to_unit(FloatFormat, const Bits& a);
/// `.relu`: a negative number is 0; NaN is the canonical NaN.
Bits clamp_negative(FloatFormat, const Bits& a);
/// `.satfinite`: what is beyond the highest finite number becomes it, with its sign.
Bits clamp_infinity(FloatFormat, const Bits& a);

/// The position of a number among all of its format: a signed integer, one bit wider, in which neighbours
/// differ by 1. −0 and +0 have the same.
Bits float_position(const Bits& a);

}  // namespace ptxmc
