#pragma once

#include "semantics/values/bits.hpp"

namespace ptxmc {

// Integer functions that several chapters of the instruction set use.

/// The whole product, of twice the width.
Bits multiply_wide(const Bits& a, const Bits& b, bool is_signed);

Bits low_half(const Bits&);
Bits high_half(const Bits&);

Bits less(const Bits& a, const Bits& b, bool is_signed);
Bits minimum(const Bits& a, const Bits& b, bool is_signed);
Bits maximum(const Bits& a, const Bits& b, bool is_signed);

/// |a|, modulo 2^width.
Bits absolute(const Bits& a);
Bits is_zero(const Bits&);

/// A signed value, clamped to what `width` bits can hold, in that width.
Bits saturate_signed(const Bits& value, unsigned width);

/// a + b in the width of the operands, clamped to MININT..MAXINT.
Bits add_saturating_signed(const Bits& a, const Bits& b);
Bits subtract_saturating_signed(const Bits& a, const Bits& b);

/// The number of bits that are 1, in the width of the operand.
Bits population_count(const Bits&);
/// The number of bits above the highest 1, in the width of the operand; for 0 this width.
Bits count_leading_zeros(const Bits&);
Bits reverse_bits(const Bits&);

/// The low `length` bits of a value, sign- or zero-extended to its width: 0 for length 0, the whole value for
/// a length of at least the width. `length` is as wide as the value.
Bits extend_from(const Bits& value, const Bits& length, bool is_signed);

/// A number whose lowest `length` bits are 1; all bits are 1 for a length of at least the width.
Bits low_ones(const Bits& length);

/// Applies a function to the 16-bit halves of its operands.
template <class Function>
Bits by_halves(const Bits& a, const Bits& b, Function f) {
  return concat(f(a.extract(16, 16), b.extract(16, 16)), f(a.extract(0, 16), b.extract(0, 16)));
}

}  // namespace ptxmc
