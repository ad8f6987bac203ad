#include "semantics/values/float_value.hpp"

#include "semantics/values/float_operations.hpp"

namespace ptxmc {

namespace {

Bits zero(unsigned width) { return Bits(width, 0); }

}  // namespace

Bits float_sign(const Bits& a) { return a.bit(a.width() - 1); }

Bits float_magnitude(const Bits& a) { return a & Bits(a.width(), ~u128{0} >> (129 - a.width())); }

Bits with_sign(const Bits& sign, const Bits& a) { return concat(sign, a.extract(0, a.width() - 1)); }

Bits float_opposite(const Bits& a) { return a ^ Bits(a.width(), u128{1} << (a.width() - 1)); }

Bits infinity(FloatFormat format) {
  const FloatLayout l = layout_of(format);
  return Bits(l.width, ((u128{1} << l.exponent) - 1) << (l.fraction + l.padding));
}

Bits highest_finite(FloatFormat format) {
  const FloatLayout l = layout_of(format);
  const unsigned digits = l.exponent + l.fraction;
  const u128 all_ones = (u128{1} << digits) - 1;
  switch (l.specials) {
    case FloatSpecials::ieee:
      return Bits(l.width, (all_ones - (u128{1} << l.fraction)) << l.padding);
    case FloatSpecials::last_is_nan:
      return Bits(l.width, all_ones - 1);
    case FloatSpecials::only_finite:
      return Bits(l.width, all_ones);
  }
  fail_check("no such format");
}

Bits one(FloatFormat format) {
  const FloatLayout l = layout_of(format);
  return Bits(l.width, static_cast<u128>(l.bias()) << (l.fraction + l.padding));
}

Bits is_nan(FloatFormat format, const Bits& a) { return less_unsigned(infinity(format), float_magnitude(a)); }
Bits is_infinite(FloatFormat format, const Bits& a) { return equal(infinity(format), float_magnitude(a)); }
Bits is_float_zero(const Bits& a) { return equal(float_magnitude(a), zero(a.width())); }

Bits is_subnormal(FloatFormat format, const Bits& a) {
  const FloatLayout l = layout_of(format);
  const Bits smallest_normal(l.width, u128{1} << (l.fraction + l.padding));
  return less_unsigned(float_magnitude(a), smallest_normal) & ~is_float_zero(a);
}

Bits float_equal(FloatFormat format, const Bits& a, const Bits& b) {
  const Bits both_zero = is_float_zero(a | b);
  return (equal(a, b) | both_zero) & ~is_nan(format, a) & ~is_nan(format, b);
}

Bits float_less(FloatFormat format, const Bits& a, const Bits& b) {
  return less_signed(float_position(a), float_position(b)) & ~is_nan(format, a) & ~is_nan(format, b);
}

Bits flush_subnormal(FloatFormat format, const Bits& a) {
  const FloatLayout l = layout_of(format);
  const Bits has_no_exponent = equal(float_magnitude(a) & infinity(format), zero(l.width));
  return ite(has_no_exponent, with_sign(float_sign(a), zero(l.width)), a);
}

Bits saturate_to_unit(FloatFormat format, const Bits& a) {
  const Bits upper = ite(less_unsigned(one(format), a), one(format), a);
  return ite(is_nan(format, a) | float_sign(a), zero(a.width()), upper);
}

Bits clamp_negative(FloatFormat format, const Bits& a) {
  return ite(is_nan(format, a), canonical_nan(format), ite(float_sign(a), zero(a.width()), a));
}

Bits clamp_infinity(FloatFormat format, const Bits& a) {
  return ite(is_infinite(format, a), with_sign(float_sign(a), highest_finite(format)), a);
}

Bits float_position(const Bits& a) {
  const Bits distance = a.extract(0, a.width() - 1).zero_extend(a.width() + 1);
  return ite(float_sign(a), -distance, distance);
}

}  // namespace ptxmc
