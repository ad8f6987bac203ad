#include "semantics/values/float_rounding.hpp"

#include "semantics/values/arithmetic.hpp"
#include "semantics/values/float_operations.hpp"
#include "semantics/values/float_value.hpp"

namespace ptxmc {

namespace {

constexpr unsigned wide = 64;
/// The maximum number of bits that are cut off. If more were, the rest would be less than half of the lowest
/// kept bit, or less than the lowest random bit.
constexpr unsigned most_cut = 40;

/// value / 2^count, rounded.
Bits divide_rounding(const Bits& value, const Bits& count, Rounding rounding, const RandomBits& random) {
  const Bits unit(wide, 1);
  const auto rounded_after_adding = [&](const Bits& addend) {
    return shift_right_unsigned(value + addend, count);
  };
  if (random) {
    const Bits aligned = shift_left(random->zero_extend(wide), count - Bits(wide, random->width()));
    return rounded_after_adding(aligned);
  }
  const Bits half = shift_left(unit, count - unit);
  switch (rounding) {
    case Rounding::nearest_even:
      return rounded_after_adding(half - unit + (shift_right_unsigned(value, count) & unit));
    case Rounding::nearest_away:
      return rounded_after_adding(half);
    case Rounding::toward_zero:
      return rounded_after_adding(Bits(wide, 0));
    case Rounding::downward:
    case Rounding::upward:
      break;
  }
  fail_check("a narrow format without this rounding");
}

/// The digits of a number: |a| = significand * 2^(exponent - fraction digits), with the exponent of the
/// lowest normal number for subnormal ones. Both `wide`, the exponent biased as in its format.
struct Digits {
  Bits significand, exponent;
};
Digits digits_of(FloatFormat format, const Bits& a) {
  const FloatLayout l = layout_of(format);
  const Bits exponent = a.extract(l.fraction, l.exponent).zero_extend(wide);
  const Bits is_normal = ~is_zero(exponent);
  const Bits significand = concat(is_normal, a.extract(0, l.fraction)).zero_extend(wide);
  return {significand, ite(is_normal, exponent, Bits(wide, 1))};
}

/// The NaN of the format, or its substitute.
Bits nan_of(FloatFormat format) {
  const FloatLayout l = layout_of(format);
  if (l.specials == FloatSpecials::only_finite) return highest_finite(format);
  return Bits(l.width, ((u128{1} << (l.exponent + l.fraction)) - 1) << l.padding);
}

}  // namespace

Bits round_to_format(FloatFormat to, FloatFormat from, Rounding rounding, const RandomBits& random,
                     bool satfinite, const Bits& a) {
  const FloatLayout target = layout_of(to), source = layout_of(from);
  const Digits digits = digits_of(from, a);
  // The exponent of the lowest normal number of the target, in the source's encoding.
  const Bits lowest(wide, static_cast<u128>(source.bias() - target.bias() + 1));
  const Bits exponent = maximum(digits.exponent, lowest, true);
  const Bits cut = Bits(wide, source.fraction - target.fraction) + (exponent - digits.exponent);
  const Bits kept =
      divide_rounding(digits.significand, minimum(cut, Bits(wide, most_cut), true), rounding, random);
  // The leading digit adds 1 to the exponent; so does a carry out of the digits.
  const Bits magnitude = kept + shift_left(exponent - lowest, Bits(wide, target.fraction));

  const Bits highest = shift_right_unsigned(highest_finite(to).zero_extend(wide), Bits(wide, target.padding));
  const bool has_infinity = target.specials == FloatSpecials::ieee;
  const bool becomes_infinite = has_infinity && !satfinite && rounding != Rounding::toward_zero;
  const Bits beyond = becomes_infinite ? highest + Bits(wide, 1) : highest;
  const Bits finite = ite(less_unsigned(highest, magnitude), beyond, magnitude);
  const Bits of_infinity = has_infinity && !satfinite ? highest + Bits(wide, 1) : highest;
  const Bits number = ite(is_infinite(from, a), of_infinity, finite);
  const Bits shifted = shift_left(number, Bits(wide, target.padding)).extract(0, target.width);
  return ite(is_nan(from, a), nan_of(to), with_sign(float_sign(a), shifted));
}

Bits round_to_scale(FloatFormat from, Rounding rounding, bool satfinite, const Bits& a) {
  const FloatLayout source = layout_of(from);
  const Bits exponent = a.extract(source.fraction, source.exponent);
  const Bits fraction = a.extract(0, source.fraction);
  // 2^-127, the lowest scale, is subnormal in the source.
  const Bits half(source.fraction, u128{1} << (source.fraction - 1));
  const Bits is_above = ite(is_zero(exponent), less_unsigned(half, fraction), ~is_zero(fraction));
  const Bits nan(8, 0xff), highest(8, 0xfe);
  const Bits scale = rounding == Rounding::upward ? exponent + is_above.zero_extend(8) : exponent;
  const Bits number = ite(equal(scale, nan), satfinite ? highest : nan, scale);
  return ite(is_nan(from, a), nan, number);
}

Bits widen_to_f16(FloatFormat from, const Bits& a) {
  const FloatLayout source = layout_of(from), f16 = layout_of(FloatFormat::f16);
  if (source.exponent == f16.exponent) {
    const Bits same_exponent = concat(a, Bits(f16.width - source.width, 0));
    return ite(is_nan(from, a), canonical_nan(FloatFormat::f16), same_exponent);
  }
  const Bits exponent = a.extract(source.fraction, source.exponent);
  const Bits is_normal = ~is_zero(exponent);
  const Bits significand = concat(is_normal, a.extract(0, source.fraction)).zero_extend(16);
  const Bits integer = float_from_unsigned(FloatFormat::f16, Rounding::nearest_even, significand);
  const Bits biased = ite(is_normal, exponent, Bits(source.exponent, 1)).zero_extend(16);
  const Bits power = biased - Bits(16, static_cast<u128>(source.bias() + static_cast<int>(source.fraction)));
  const Bits scaled = integer + shift_left(power, Bits(16, f16.fraction));
  const Bits number = with_sign(float_sign(a), ite(is_zero(significand), Bits(16, 0), scaled));
  if (source.specials == FloatSpecials::only_finite) return number;
  return ite(equal(float_magnitude(a), nan_of(from)), canonical_nan(FloatFormat::f16), number);
}

Bits widen_scale_to_bf16(const Bits& a) {
  const Bits number = a.zero_extend(16);
  const Bits lowest(16, 0x0040);  // 2^-127 is subnormal
  const Bits scale = ite(is_zero(a), lowest, shift_left(number, Bits(16, 7)));
  return ite(equal(a, Bits(8, 0xff)), canonical_nan(FloatFormat::bf16), scale);
}

}  // namespace ptxmc
