#include "semantics/values/float_arithmetic.hpp"

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "semantics/values/check.hpp"

namespace ptxmc::float_arithmetic {

namespace {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);

constexpr std::uint64_t low_ones(unsigned count) { return (std::uint64_t{1} << count) - 1; }

// ---- numbers of every format as double, which holds them exactly ----

double to_double(FloatFormat format, std::uint64_t bits) {
  if (format == FloatFormat::f64) return std::bit_cast<double>(bits);
  if (format == FloatFormat::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const FloatLayout& layout = layout_of(format);
  const FloatLayout& f64 = layout_of(FloatFormat::f64);
  const std::uint64_t fraction = bits & low_ones(layout.fraction);
  const std::uint64_t exponent = bits >> layout.fraction & low_ones(layout.exponent);
  const std::uint64_t sign = bits >> (layout.width - 1) & 1;
  if (exponent == low_ones(layout.exponent) && fraction != 0) return std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0) {
    const int unit = 1 - layout.bias() - static_cast<int>(layout.fraction);
    return std::copysign(std::ldexp(static_cast<double>(fraction), unit), sign != 0 ? -1.0 : 1.0);
  }
  const std::uint64_t wide_exponent = exponent == low_ones(layout.exponent)
                                          ? low_ones(f64.exponent)
                                          : exponent + static_cast<unsigned>(f64.bias() - layout.bias());
  return std::bit_cast<double>(sign << (f64.width - 1) | wide_exponent << f64.fraction |
                               fraction << (f64.fraction - layout.fraction));
}

/// A number that the format can represent.
std::uint64_t from_double(FloatFormat format, double value) {
  if (std::isnan(value)) return canonical_nan_bits(format);
  if (format == FloatFormat::f64) return std::bit_cast<std::uint64_t>(value);
  if (format == FloatFormat::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const FloatLayout layout = layout_of(format);
  const std::uint64_t sign = std::uint64_t{std::signbit(value)} << (layout.width - 1);
  if (value == 0) return sign;
  if (std::isinf(value)) return sign | low_ones(layout.exponent) << layout.fraction;
  int exponent = 0;
  std::frexp(value, &exponent);  // value = 0.1… * 2^exponent
  const int biased = std::max(exponent - 1 + layout.bias(), 0);
  const int unit = std::max(biased, 1) - layout.bias() - static_cast<int>(layout.fraction);
  const auto significand = static_cast<std::uint64_t>(std::ldexp(std::fabs(value), -unit));
  return sign | static_cast<std::uint64_t>(biased) << layout.fraction |
         (significand & low_ones(layout.fraction));
}

// ---- MPFR ----

mpfr_rnd_t mode_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest_even:
      return MPFR_RNDN;
    case Rounding::toward_zero:
      return MPFR_RNDZ;
    case Rounding::downward:
      return MPFR_RNDD;
    case Rounding::upward:
      return MPFR_RNDU;
    case Rounding::nearest_away:
      break;
  }
  fail_check("no arithmetic rounds to nearest away");
}

/// Computes with the precision of the format and any exponent, then rounds to the format's range as
/// `mpfr_subnormalize` describes. `compute` returns MPFR's ternary value for the error of the result.
template <class Compute>
std::uint64_t round_to(FloatFormat format, Rounding rounding, Compute compute) {
  const FloatLayout layout = layout_of(format);
  const mpfr_rnd_t mode = mode_of(rounding);
  mp_limb_t limb = 0;  // on the stack; one limb is enough for 53 bits
  mpfr_t result;
  mpfr_custom_init_set(result, MPFR_NAN_KIND, 0, static_cast<mpfr_prec_t>(layout.precision()), &limb);
  int error = compute(result, mode);
  const mpfr_exp_t lowest = mpfr_get_emin(), highest = mpfr_get_emax();
  mpfr_set_emin(2 - layout.bias() - static_cast<int>(layout.fraction));
  mpfr_set_emax(layout.bias() + 1);
  error = mpfr_check_range(result, error, mode);
  mpfr_subnormalize(result, error, mode);
  mpfr_set_emin(lowest);
  mpfr_set_emax(highest);
  return from_double(format, mpfr_get_d(result, MPFR_RNDN));
}

template <class Compute>
std::uint64_t of_one(FloatFormat format, Rounding rounding, std::uint64_t a, Compute compute) {
  MPFR_DECL_INIT(x, 53);
  mpfr_set_d(x, to_double(format, a), MPFR_RNDN);
  return round_to(format, rounding, [&](mpfr_t r, mpfr_rnd_t mode) { return compute(r, x, mode); });
}

template <class Compute>
std::uint64_t of_two(FloatFormat format, Rounding rounding, std::uint64_t a, std::uint64_t b,
                     Compute compute) {
  MPFR_DECL_INIT(y, 53);
  mpfr_set_d(y, to_double(format, b), MPFR_RNDN);
  return of_one(format, rounding, a,
                [&](mpfr_t r, mpfr_t x, mpfr_rnd_t mode) { return compute(r, x, y, mode); });
}

/// The integer next to a number, as the low bits of `width`.
void round_to_integer(mpfr_t result, FloatFormat from, Rounding rounding, std::uint64_t a) {
  mpfr_set_d(result, to_double(from, a), MPFR_RNDN);
  mpfr_rint(result, result, mode_of(rounding));
}

// ---- the processor, which rounds to nearest even ----

/// Computes f(operands) with the processor, if it supports the format.
template <class Function, class... Operand>
std::optional<std::uint64_t> in_hardware(FloatFormat format, Rounding rounding, Function f,
                                         Operand... operands) {
  if (rounding != Rounding::nearest_even) return std::nullopt;
  if (format == FloatFormat::f32) {
    const float result = f(std::bit_cast<float>(static_cast<std::uint32_t>(operands))...);
    return std::isnan(result) ? canonical_nan_bits(format) : std::bit_cast<std::uint32_t>(result);
  }
  if (format != FloatFormat::f64) return std::nullopt;
  const double result = f(std::bit_cast<double>(operands)...);
  return std::isnan(result) ? canonical_nan_bits(format) : std::bit_cast<std::uint64_t>(result);
}

template <class Integer>
std::optional<std::uint64_t> from_integer_in_hardware(FloatFormat to, Rounding rounding, Integer a) {
  if (rounding != Rounding::nearest_even) return std::nullopt;
  if (to == FloatFormat::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(a));
  if (to == FloatFormat::f64) return std::bit_cast<std::uint64_t>(static_cast<double>(a));
  return std::nullopt;
}

}  // namespace

std::uint64_t canonical_nan_bits(FloatFormat format) {
  if (format == FloatFormat::f64) return 0x7fffffff00000000;
  return low_ones(layout_of(format).width - 1);
}

double number(FloatFormat format, std::uint64_t bits) { return to_double(format, bits); }

std::uint64_t add(FloatFormat format, Rounding rounding, std::uint64_t a, std::uint64_t b) {
  if (const auto result = in_hardware(
          format, rounding, [](auto x, auto y) { return x + y; }, a, b))
    return *result;
  return of_two(format, rounding, a, b, mpfr_add);
}

std::uint64_t multiply(FloatFormat format, Rounding rounding, std::uint64_t a, std::uint64_t b) {
  if (const auto result = in_hardware(
          format, rounding, [](auto x, auto y) { return x * y; }, a, b))
    return *result;
  return of_two(format, rounding, a, b, mpfr_mul);
}

std::uint64_t divide(FloatFormat format, Rounding rounding, std::uint64_t a, std::uint64_t b) {
  if (const auto result = in_hardware(
          format, rounding, [](auto x, auto y) { return x / y; }, a, b))
    return *result;
  return of_two(format, rounding, a, b, mpfr_div);
}

std::uint64_t multiply_add(FloatFormat format, Rounding rounding, std::uint64_t a, std::uint64_t b,
                           std::uint64_t c) {
  if (const auto result = in_hardware(
          format, rounding, [](auto x, auto y, auto z) { return std::fma(x, y, z); }, a, b, c))
    return *result;
  MPFR_DECL_INIT(z, 53);
  mpfr_set_d(z, to_double(format, c), MPFR_RNDN);
  return of_two(format, rounding, a, b,
                [&](mpfr_t r, mpfr_t x, mpfr_t y, mpfr_rnd_t mode) { return mpfr_fma(r, x, y, z, mode); });
}

std::uint64_t square_root(FloatFormat format, Rounding rounding, std::uint64_t a) {
  if (const auto result = in_hardware(
          format, rounding, [](auto x) { return std::sqrt(x); }, a))
    return *result;
  return of_one(format, rounding, a, mpfr_sqrt);
}

std::uint64_t round_to_integral(FloatFormat format, Rounding rounding, std::uint64_t a) {
  return of_one(format, rounding, a, mpfr_rint);
}

std::uint64_t convert(FloatFormat to, FloatFormat from, Rounding rounding, std::uint64_t a) {
  const double value = to_double(from, a);
  if (to == FloatFormat::f64 || std::isnan(value)) return from_double(to, value);
  if (to == FloatFormat::f32 && rounding == Rounding::nearest_even)
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return round_to(to, rounding, [&](mpfr_t r, mpfr_rnd_t mode) { return mpfr_set_d(r, value, mode); });
}

std::uint64_t from_unsigned(FloatFormat to, Rounding rounding, std::uint64_t a) {
  if (const auto result = from_integer_in_hardware(to, rounding, a)) return *result;
  return round_to(to, rounding, [&](mpfr_t r, mpfr_rnd_t mode) { return mpfr_set_uj(r, a, mode); });
}

std::uint64_t from_signed(FloatFormat to, Rounding rounding, std::int64_t a) {
  if (const auto result = from_integer_in_hardware(to, rounding, a)) return *result;
  return round_to(to, rounding, [&](mpfr_t r, mpfr_rnd_t mode) { return mpfr_set_sj(r, a, mode); });
}

std::uint64_t to_unsigned(unsigned width, FloatFormat from, Rounding rounding, std::uint64_t a) {
  MPFR_DECL_INIT(integer, 53);
  round_to_integer(integer, from, rounding, a);
  if (mpfr_nan_p(integer) != 0) return 0;
  const std::uint64_t highest = ~std::uint64_t{0} >> (64 - width);
  return std::min<std::uint64_t>(mpfr_get_uj(integer, MPFR_RNDZ), highest);
}

std::int64_t to_signed(unsigned width, FloatFormat from, Rounding rounding, std::uint64_t a) {
  MPFR_DECL_INIT(integer, 53);
  round_to_integer(integer, from, rounding, a);
  if (mpfr_nan_p(integer) != 0) return 0;
  const auto highest = static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - width));
  return std::clamp<std::int64_t>(mpfr_get_sj(integer, MPFR_RNDZ), -highest - 1, highest);
}

// ---- approximations ----

namespace {

int evaluate(Approximation function, mpfr_t result, mpfr_t a, mpfr_t b, mpfr_rnd_t mode) {
  switch (function) {
    case Approximation::reciprocal:
      return mpfr_ui_div(result, 1, a, mode);
    case Approximation::divide:
      return mpfr_div(result, a, b, mode);
    case Approximation::square_root:
      return mpfr_sqrt(result, a, mode);
    case Approximation::reciprocal_square_root:
      return mpfr_rec_sqrt(result, a, mode);
    case Approximation::sine:
      return mpfr_sin(result, a, mode);
    case Approximation::cosine:
      return mpfr_cos(result, a, mode);
    case Approximation::logarithm_2:
      return mpfr_log2(result, a, mode);
    case Approximation::exponential_2:
      return mpfr_exp2(result, a, mode);
    case Approximation::hyperbolic_tangent:
      return mpfr_tanh(result, a, mode);
    case Approximation::sum:
      break;  // has operands of f64 in every format
  }
  fail_check("no such function");
}

/// max(ulp error, relative error, absolute error) of an exact result.
void error_of(mpfr_t error, const mpfr_t exact, FloatFormat format, const ErrorBound& bound) {
  const FloatLayout layout = layout_of(format);
  MPFR_DECL_INIT(candidate, 256);
  const auto take = [&](double factor, mpfr_exp_t power) {
    mpfr_set_d(candidate, factor, MPFR_RNDU);
    mpfr_mul_2si(candidate, candidate, power, MPFR_RNDU);
    mpfr_max(error, error, candidate, MPFR_RNDU);
  };
  mpfr_set_zero(error, 1);
  const int lowest = 1 - layout.bias();
  const int exponent =
      mpfr_zero_p(exact) != 0 ? lowest : std::max(static_cast<int>(mpfr_get_exp(exact)) - 1, lowest);
  if (bound.units_in_last_place)
    take(*bound.units_in_last_place, exponent - static_cast<int>(layout.fraction));
  if (bound.log2_absolute) take(std::exp2(*bound.log2_absolute), 0);
  if (bound.log2_relative) {
    mpfr_abs(candidate, exact, MPFR_RNDU);
    MPFR_DECL_INIT(factor, 64);
    mpfr_set_d(factor, std::exp2(*bound.log2_relative), MPFR_RNDU);
    mpfr_mul(candidate, candidate, factor, MPFR_RNDU);
    mpfr_max(error, error, candidate, MPFR_RNDU);
  }
}

/// −0 lies below +0, and a zero bound includes both.
bool is_below(FloatFormat format, std::uint64_t a, std::uint64_t b) {
  const double x = to_double(format, a), y = to_double(format, b);
  return x < y || (x == y && std::signbit(x) && !std::signbit(y));
}

}  // namespace

std::uint64_t approximate(Approximation function, FloatFormat format, std::uint64_t a, std::uint64_t b) {
  if (function == Approximation::sum) return convert(format, FloatFormat::f64, Rounding::nearest_even, a);
  return of_two(format, Rounding::nearest_even, a, b, [&](mpfr_t r, mpfr_t x, mpfr_t y, mpfr_rnd_t mode) {
    return evaluate(function, r, x, y, mode);
  });
}

/// The numbers between a − b and a + b, which are computed in f64 and rounded outward, and the nearest to a.
static Interval sum_interval(FloatFormat format, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t nearest = approximate(Approximation::sum, format, a, b);
  const std::uint64_t opposite = b ^ std::uint64_t{1} << 63;
  Interval interval = {
      convert(format, FloatFormat::f64, Rounding::upward,
              add(FloatFormat::f64, Rounding::downward, a, opposite)),
      convert(format, FloatFormat::f64, Rounding::downward, add(FloatFormat::f64, Rounding::upward, a, b))};
  if (is_below(format, nearest, interval.low)) interval.low = nearest;
  if (is_below(format, interval.high, nearest)) interval.high = nearest;
  return interval;
}

Interval approximation_interval(Approximation function, FloatFormat format, const ErrorBound& bound,
                                std::uint64_t a, std::uint64_t b) {
  if (function == Approximation::sum) return sum_interval(format, a, b);
  MPFR_DECL_INIT(x, 53);
  MPFR_DECL_INIT(y, 53);
  MPFR_DECL_INIT(exact, 256);
  MPFR_DECL_INIT(error, 256);
  mpfr_set_d(x, to_double(format, a), MPFR_RNDN);
  mpfr_set_d(y, to_double(format, b), MPFR_RNDN);
  evaluate(function, exact, x, y, MPFR_RNDN);
  error_of(error, exact, format, bound);
  const auto end = [&](auto compute, Rounding inward) {
    return round_to(format, inward,
                    [&](mpfr_t r, mpfr_rnd_t mode) { return compute(r, exact, error, mode); });
  };
  Interval interval = {end(mpfr_sub, Rounding::upward), end(mpfr_add, Rounding::downward)};
  const std::uint64_t nearest = approximate(function, format, a, b);
  if (is_below(format, nearest, interval.low)) interval.low = nearest;
  if (is_below(format, interval.high, nearest)) interval.high = nearest;
  return interval;
}

}  // namespace ptxmc::float_arithmetic
