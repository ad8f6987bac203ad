#include "semantics/approximation.hpp"

#include <cmath>

#include "semantics/float_value.hpp"

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

/// low <= a <= high for constants of the format; no NaN.
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

/// A bound in units in the last place, in steps from the correctly rounded value: the exact value is half a
/// step from it, and steps are half as long below a power of 2.
constexpr unsigned steps_for_ulps(unsigned ulps) { return 2 * ulps + 1; }

/// NaN gives NaN; for others what `range` says.
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
  }
  fail_check("no such function");
}

Bits within_bound(const Term& term, const Bits& value) {
  const FloatFormat format = term.format;
  const Bits a(term.operands[0]);
  const auto mode = Rounding::nearest_even;
  const Bits unit = one(format);
  if (format == FloatFormat::f64) return unless_nan(format, a, value, Bits::boolean(true));
  switch (static_cast<Approximation>(term.low)) {
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
                        is_between(format, value, from_integer(format, -150), from_integer(format, 129)) |
                            ~float_less(format, Bits(unit.width(), 0), a) | is_infinite(format, a));
    case Approximation::exponential_2:
      return unless_nan(format, a, value, ~is_nan(format, value) & ~float_sign(value));
    case Approximation::hyperbolic_tangent: {
      // 1 + 2^-11 of f32; the others have no number between 1 and 1 + their error.
      const Bits limit(unit.width(), unit.value() + (format == FloatFormat::f32 ? 1 << 12 : 0));
      return unless_nan(format, a, value, is_between(format, value, float_opposite(limit), limit));
    }
  }
  fail_check("no such function");
}

}  // namespace ptxmc
