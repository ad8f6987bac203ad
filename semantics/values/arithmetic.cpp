#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// Repeats the low bits of a pattern over a width: 0x0101… from 0x01 and 8.
Bits repeated(unsigned width, u128 pattern, unsigned period) {
  u128 value = 0;
  for (unsigned at = 0; at < width; at += period) value |= pattern << at;
  return {width, value};
}

Bits amount(const Bits& like, unsigned value) { return {like.width(), value}; }

}  // namespace

Bits multiply_wide(const Bits& a, const Bits& b, bool is_signed) {
  const unsigned width = 2 * a.width();
  return is_signed ? a.sign_extend(width) * b.sign_extend(width)
                   : a.zero_extend(width) * b.zero_extend(width);
}

Bits low_half(const Bits& a) { return a.extract(0, a.width() / 2); }
Bits high_half(const Bits& a) { return a.extract(a.width() / 2, a.width() / 2); }

Bits less(const Bits& a, const Bits& b, bool is_signed) {
  return is_signed ? less_signed(a, b) : less_unsigned(a, b);
}
Bits minimum(const Bits& a, const Bits& b, bool is_signed) { return ite(less(a, b, is_signed), a, b); }
Bits maximum(const Bits& a, const Bits& b, bool is_signed) { return ite(less(b, a, is_signed), a, b); }

Bits absolute(const Bits& a) { return ite(a.bit(a.width() - 1), -a, a); }
Bits is_zero(const Bits& a) { return equal(a, Bits(a.width(), 0)); }

Bits saturate_signed(const Bits& value, unsigned width) {
  const Bits highest(value.width(), (u128{1} << (width - 1)) - 1);
  const Bits lowest = ~highest;
  return minimum(maximum(value, lowest, true), highest, true).extract(0, width);
}

Bits add_saturating_signed(const Bits& a, const Bits& b) {
  return saturate_signed(a.sign_extend(a.width() + 1) + b.sign_extend(a.width() + 1), a.width());
}
Bits subtract_saturating_signed(const Bits& a, const Bits& b) {
  return saturate_signed(a.sign_extend(a.width() + 1) - b.sign_extend(a.width() + 1), a.width());
}

Bits population_count(const Bits& a) {
  const unsigned width = a.width();
  Bits sums = a;  // of groups of 1, 2, 4, … bits, in place
  for (unsigned group = 1; group < width; group *= 2) {
    const Bits mask = repeated(width, (u128{1} << group) - 1, 2 * group);
    sums = (sums & mask) + (shift_right_unsigned(sums, amount(a, group)) & mask);
  }
  return sums;
}

Bits count_leading_zeros(const Bits& a) {
  Bits smeared = a;
  for (unsigned distance = 1; distance < a.width(); distance *= 2)
    smeared = smeared | shift_right_unsigned(smeared, amount(a, distance));
  return population_count(~smeared);
}

Bits reverse_bits(const Bits& a) {
  Bits reversed = a;  // swaps neighbours, then pairs, …
  for (unsigned group = 1; group < a.width(); group *= 2) {
    const Bits mask = repeated(a.width(), (u128{1} << group) - 1, 2 * group);
    reversed = shift_left(reversed & mask, amount(a, group)) |
               (shift_right_unsigned(reversed, amount(a, group)) & mask);
  }
  return reversed;
}

Bits extend_from(const Bits& value, const Bits& length, bool is_signed) {
  const Bits width = amount(value, value.width());
  const Bits unused = width - minimum(length, width, false);
  const Bits shifted = shift_left(value, unused);
  return is_signed ? shift_right_signed(shifted, unused) : shift_right_unsigned(shifted, unused);
}

Bits low_ones(const Bits& length) {
  const Bits one = amount(length, 1);
  return shift_left(one, length) - one;
}

}  // namespace ptxmc
