#include "semantics/values/approximation.hpp"

#include <cmath>

#include "semantics/values/float_value.hpp"
#include "semantics/values/sum_error.hpp"

namespace ptxmc {

namespace {

using float_arithmetic::ErrorBound;

/// |position(a) - position(b)| <= steps, or both are NaN.
Bits is_near(FloatFormat format, const Bits& a, const Bits& b, unsigned steps) {
  const Bits distance = float_position(a) - float_position(b);
  const Bits bound(distance.width(), steps);
  const Bits near = less_equal_signed(distance, bound) & less_equal_signed(-bound, distance);
  return ite(is_nan(format, b), is_nan(format, a), near & ~is_nan(format, a));
}

/// low <= a <= high for constants of the format that are not NaN.
Bits is_between(FloatFormat format, const Bits& a, const Bits& low, const Bits& high) {
  return ~float_less(format, a, low) & ~float_less(format, high, a) & ~is_nan(format, a);
}

Bits from_integer(FloatFormat format, std::int64_t value) {
  return Bits(layout_of(format).width, float_arithmetic::from_signed(format, Rounding::nearest_even, value));
}

/// 1/sqrt(a), rounded twice: at most one step from the correctly rounded value.
Bits reciprocal_square_root(FloatFormat format, const Bits& a) {
  const auto mode = Rounding::nearest_even;
  return float_divide(format, mode, one(format), float_square_root(format, mode, a));
}

/// Converts a bound in units in the last place to steps from the correctly rounded value. The exact value is
/// up to half a step from it, and steps are half as long below a power of 2.
constexpr unsigned steps_for_ulps(unsigned ulps) { return 2 * ulps + 1; }

/// low <= value <= high as positions, extended by some steps on both sides.
Bits is_between_positions(const Bits& value, const Bits& low, const Bits& high, unsigned steps) {
  const Bits position = float_position(value), error(position.width(), steps);
  return less_equal_signed(low - error, position) & less_equal_signed(position, high + error);
}

/// The logarithm of a positive f32 number is between its exponent and the next integer. The error of 2^-22 is
/// relative, or absolute if the logarithm is between −1 and 1.
Bits is_near_logarithm(const Bits& a, const Bits& value) {
  constexpr auto format = FloatFormat::f32;
  const Bits error(32, 0x34800000);  // 2^-22
  const Bits exponent = a.extract(23, 8).zero_extend(16) - Bits(16, 127), next = exponent + Bits(16, 1);
  const auto position = [&](const Bits& integer, const Bits& at_zero) {
    const Bits number = float_from_signed(format, Rounding::nearest_even, integer);
    return float_position(ite(equal(integer, Bits(16, 0)), at_zero, number));
  };
  const Bits normal =
      is_between_positions(value, position(exponent, float_opposite(error)), position(next, error), 16);
  return ite(is_subnormal(format, a),
             is_between(format, value, from_integer(format, -150), from_integer(format, -125)),
             ~is_nan(format, value) & normal);
}

/// The exponential is between the powers of 2 whose exponents are the integers next to a; an error of 2^-7 is
/// less than 8 steps in bf16, as are the errors of other formats.
Bits is_near_exponential(FloatFormat format, const Bits& a, const Bits& value) {
  const FloatLayout layout = layout_of(format);
  const auto number = [](std::int64_t n) { return Bits(64, static_cast<u128>(n)); };
  const auto minimum = [](const Bits& p, const Bits& q) { return ite(less_signed(p, q), p, q); };
  const Bits infinite = number((1 << layout.exponent) - 1);
  const Bits below =
      float_to_signed(32, format, Rounding::downward, a).sign_extend(64) + number(layout.bias());
  const Bits low = minimum(ite(less_signed(below, number(0)), number(0), below), infinite);
  const Bits high = minimum(low + number(1), infinite);
  const auto power = [&](const Bits& biased) { return shift_left(biased, number(layout.fraction)); };
  const Bits position = float_position(value).sign_extend(64);  // the error may make the position negative
  return ~is_nan(format, value) & less_equal_signed(power(low) - number(8), position) &
         less_equal_signed(position, power(high) + number(8));
}

/// The hyperbolic tangent has the sign of a, and its magnitude is at most |a| and at most 1. In f32 the error
/// is relative, 2^-11; the other formats have no number between 1 and 1 plus their error.
Bits is_near_hyperbolic_tangent(FloatFormat format, const Bits& a, const Bits& value) {
  const Bits magnitude = float_magnitude(value), unit = one(format);
  if (format != FloatFormat::f32) return less_equal_unsigned(magnitude, unit);
  const Bits error(32, 1 << 13);
  return equal(float_sign(value), float_sign(a)) & less_equal_unsigned(magnitude, unit + error) &
         less_equal_unsigned(magnitude, float_magnitude(a) + error);
}

/// sum − error <= value <= sum + error, numbers of f64 except the value, or the value is the nearest to the
/// sum. If the error is infinite, it is any value.
Bits is_near_sum(FloatFormat format, const Bits& sum, const Bits& error, const Bits& value) {
  constexpr auto f64 = FloatFormat::f64;
  const Bits wide = float_convert(f64, format, Rounding::nearest_even, value);
  const Bits low = float_add(f64, Rounding::downward, sum, float_opposite(error));
  const Bits high = float_add(f64, Rounding::upward, sum, error);
  const Bits nearest = float_convert(format, f64, Rounding::nearest_even, sum);
  const Bits is_between = ~float_less(f64, wide, low) & ~float_less(f64, high, wide) & ~is_nan(f64, wide);
  return ite(is_nan(f64, sum), is_nan(format, value),
             is_infinite(f64, error) | is_between | equal(value, nearest));
}

/// NaN gives NaN; other numbers satisfy `range`.
Bits unless_nan(FloatFormat format, const Bits& a, const Bits& value, const Bits& range) {
  return ite(is_nan(format, a), is_nan(format, value), range);
}

}  // namespace

std::string_view name_of(Approximation function) {
  switch (function) {
    case Approximation::reciprocal:
      return "rcp";
    case Approximation::divide:
      return "div";
    case Approximation::square_root:
      return "sqrt";
    case Approximation::reciprocal_square_root:
      return "rsqrt";
    case Approximation::sine:
      return "sin";
    case Approximation::cosine:
      return "cos";
    case Approximation::logarithm_2:
      return "lg2";
    case Approximation::exponential_2:
      return "ex2";
    case Approximation::hyperbolic_tangent:
      return "tanh";
    case Approximation::sum:
      return "sum";
  }
  fail_check("no such function");
}

ErrorBound error_bound(Approximation function, FloatFormat format, std::uint64_t a) {
  if (format == FloatFormat::f64) return {};
  const double value = std::fabs(float_arithmetic::number(format, a));
  switch (function) {
    case Approximation::reciprocal:
      return {.units_in_last_place = 1};
    case Approximation::divide:
      return {.units_in_last_place = 2};
    case Approximation::square_root:
      return {.log2_relative = -23};
    case Approximation::reciprocal_square_root:
      return {.log2_relative = -22.9};
    case Approximation::sine:
    case Approximation::cosine:
      if (value <= 2 * M_PI) return {.log2_absolute = -20.5};
      if (value <= 100 * M_PI) return {.log2_absolute = -14.7};
      return {};
    case Approximation::logarithm_2:
      if (0.5 < value && value < 2) return {.log2_absolute = -22};
      return {.log2_relative = -22};
    case Approximation::exponential_2:
      if (format == FloatFormat::f16) return {.log2_relative = -9.9};
      if (format == FloatFormat::bf16) return {.log2_relative = -7};
      return {.units_in_last_place = 2};
    case Approximation::hyperbolic_tangent:
      if (format == FloatFormat::f16) return {.log2_absolute = -10.987};
      if (format == FloatFormat::bf16) return {.log2_absolute = -8};
      return {.log2_relative = -11};
    case Approximation::sum:
      return {};  // it depends on all products
  }
  fail_check("no such function");
}

Bits within_bound(const Term& term, const Bits& value) {
  const FloatFormat format = term.format;
  const Bits a(term.operands[0]);
  const auto mode = Rounding::nearest_even;
  const Bits unit = one(format);
  const auto function = static_cast<Approximation>(term.low);
  if (function == Approximation::sum)
    return is_near_sum(format, a, bound_of_error(format, relative_error_of(term), Bits(term.operands[1])),
                       value);
  if (format == FloatFormat::f64) return unless_nan(format, a, value, Bits::boolean(true));
  switch (function) {
    case Approximation::reciprocal:
      return is_near(format, value, float_divide(format, mode, unit, a), steps_for_ulps(1));
    case Approximation::divide:
      return is_near(format, value, float_divide(format, mode, a, Bits(term.operands[1])), steps_for_ulps(2));
    case Approximation::square_root:  // a relative error of 2^-23 is at most a step
      return is_near(format, value, float_square_root(format, mode, a), steps_for_ulps(1));
    case Approximation::reciprocal_square_root:
      return is_near(format, value, reciprocal_square_root(format, a), steps_for_ulps(2));
    case Approximation::sine:
    case Approximation::cosine: {
      const Bits no_angle = is_nan(format, a) | is_infinite(format, a);
      const Bits highest(unit.width(), unit.value() + 512);  // 1 + 2^-14: more than the error
      const Bits is_far = float_less(format, from_integer(format, 314), float_magnitude(a));
      return ite(no_angle, is_nan(format, value),
                 is_far | is_between(format, value, float_opposite(highest), highest));
    }
    case Approximation::logarithm_2:
      return unless_nan(format, a, value,
                        ~float_less(format, Bits(unit.width(), 0), a) | is_infinite(format, a) |
                            is_near_logarithm(a, value));
    case Approximation::exponential_2:
      return unless_nan(format, a, value, is_near_exponential(format, a, value));
    case Approximation::hyperbolic_tangent:
      return unless_nan(format, a, value, is_near_hyperbolic_tangent(format, a, value));
    case Approximation::sum:
      break;
  }
  fail_check("no such function");
}

}  // namespace ptxmc
