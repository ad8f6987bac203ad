#pragma once

#include "semantics/values/bits.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

// Arithmetic in the formats of IEEE 754 (f16, bf16, f32, f64), correctly rounded. Operands and results are
// Bits as wide as the format; a result that is NaN is the canonical NaN. Rounding is any mode but
// nearest_away. Operations on constants give constants (float_arithmetic.hpp), others give terms.

/// The NaN that operations return: for .f64 the encoding of PTX ISA 8.7 § 9.7.3.14, for other formats all
/// ones below the sign.
Bits canonical_nan(FloatFormat);

Bits float_add(FloatFormat, Rounding, const Bits& a, const Bits& b);
Bits float_multiply(FloatFormat, Rounding, const Bits& a, const Bits& b);
Bits float_divide(FloatFormat, Rounding, const Bits& a, const Bits& b);
/// a * b + c, rounded once.
Bits float_multiply_add(FloatFormat, Rounding, const Bits& a, const Bits& b, const Bits& c);
Bits float_square_root(FloatFormat, Rounding, const Bits& a);
/// To an integer in the same format; keeps the sign of a zero.
Bits float_round_to_integral(FloatFormat, Rounding, const Bits& a);
Bits float_convert(FloatFormat to, FloatFormat from, Rounding, const Bits& a);

Bits float_from_unsigned(FloatFormat to, Rounding, const Bits& a);
Bits float_from_signed(FloatFormat to, Rounding, const Bits& a);
/// To the nearest integer of `width` bits; NaN is 0.
Bits float_to_unsigned(unsigned width, FloatFormat from, Rounding, const Bits& a);
Bits float_to_signed(unsigned width, FloatFormat from, Rounding, const Bits& a);

/// For constants the correctly rounded result. For terms any value within the bound of approximation.hpp.
/// Only division and sums use `b`.
Bits float_approximate(Approximation, FloatFormat, const Bits& a, const Bits& b = {});

}  // namespace ptxmc
