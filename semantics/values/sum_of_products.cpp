#include "semantics/values/sum_of_products.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "semantics/values/check.hpp"
#include "semantics/values/float_operations.hpp"
#include "semantics/values/float_rounding.hpp"
#include "semantics/values/float_value.hpp"

namespace ptxmc {

namespace {

Bits to_f64(FloatFormat from, const Bits& a) {
  return float_convert(FloatFormat::f64, from, Rounding::nearest_even, a);
}

Bits widen_small(FloatFormat from, const Bits& a) {
  if (from == FloatFormat::ue8m0) return to_f64(FloatFormat::bf16, widen_scale_to_bf16(a));
  return to_f64(FloatFormat::f16, widen_to_f16(from, a));
}

using SmallNumbers = std::array<Bits, 256>;

SmallNumbers all_numbers(FloatFormat format) {
  SmallNumbers numbers;
  const unsigned width = layout_of(format).width;
  for (unsigned bits = 0; bits < 1u << width; ++bits) numbers[bits] = widen_small(format, Bits(width, bits));
  return numbers;
}

/// A number of a format of at most 8 bits: matrices have many.
const Bits& small_number(FloatFormat format, const Bits& a) {
  static const SmallNumbers e4m3 = all_numbers(FloatFormat::e4m3), e5m2 = all_numbers(FloatFormat::e5m2),
                            e2m3 = all_numbers(FloatFormat::e2m3), e3m2 = all_numbers(FloatFormat::e3m2),
                            e2m1 = all_numbers(FloatFormat::e2m1), ue8m0 = all_numbers(FloatFormat::ue8m0);
  switch (format) {
    case FloatFormat::e4m3:
      return e4m3[a.to_u64()];
    case FloatFormat::e5m2:
      return e5m2[a.to_u64()];
    case FloatFormat::e2m3:
      return e2m3[a.to_u64()];
    case FloatFormat::e3m2:
      return e3m2[a.to_u64()];
    case FloatFormat::e2m1:
      return e2m1[a.to_u64()];
    case FloatFormat::ue8m0:
      return ue8m0[a.to_u64()];
    default:
      fail_check("a format of more than 8 bits");
  }
}

bool are_constant(std::span<const Bits> values) {
  return std::ranges::all_of(values, [](const Bits& value) { return value.is_constant(); });
}

double number(const Bits& a) { return std::bit_cast<double>(a.to_u64()); }

/// A sum of numbers without any rounding: Shewchuk, Adaptive Precision Floating-Point Arithmetic (1997).
class ExactSum {
 public:
  explicit ExactSum(double first) : high_(first) {}

  void add(double next) {
    const double sum = high_ + next;
    const double from_next = sum - high_;
    const double error = (high_ - (sum - from_next)) + (next - from_next);
    high_ = sum;
    if (error != 0) parts_.push_back(error);  // rarely: most sums of short numbers are exact
  }

  /// The exact sum, or, where f64 does not have it, the neighbour whose last digit is odd. Rounding it to a
  /// format with at most 51 digits gives what rounding the exact sum gives.
  double rounded_to_odd() {
    if (parts_.empty() || !std::isfinite(high_)) return high_;
    std::vector<double> expansion;  // its parts do not overlap; the last is the largest
    parts_.push_back(high_);
    for (double part : parts_) {
      std::vector<double> grown;
      for (const double own : expansion) {
        const double sum = part + own, from_own = sum - part;
        const double error = (part - (sum - from_own)) + (own - from_own);
        if (error != 0) grown.push_back(error);
        part = sum;
      }
      grown.push_back(part);
      expansion = std::move(grown);
    }
    double largest = expansion.back(), rest = 0;
    for (std::size_t i = expansion.size() - 1; i-- > 0 && rest == 0;) {
      const double sum = largest + expansion[i];
      rest = expansion[i] - (sum - largest);
      largest = sum;
    }
    if (rest == 0) return largest;
    const double towards_zero = (rest < 0) == (largest < 0) ? largest : std::nextafter(largest, 0.0);
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(towards_zero) | 1);
  }

 private:
  double high_;
  std::vector<double> parts_;  // what was lost when numbers were added to `high_`
};

}  // namespace

Bits widen_to_f64(FloatFormat from, const Bits& a) {
  if (layout_of(from).width <= 8) return a.is_constant() ? small_number(from, a) : widen_small(from, a);
  if (from == FloatFormat::tf32) return to_f64(FloatFormat::f32, a & Bits(32, 0xffff'e000));
  return from == FloatFormat::f64 ? a : to_f64(from, a);
}

namespace {

constexpr auto f64 = FloatFormat::f64;
constexpr unsigned f64_fraction = 52, f64_bias = 1023;

Bits constant(double value) { return {64, std::bit_cast<std::uint64_t>(value)}; }

Bits exponent_of(const Bits& a) { return a.extract(f64_fraction, 11).zero_extend(16); }

/// The exponent of the last digit of a number that is not 0, biased; of 0 a large one.
Bits last_digit(const Bits& a) {
  Bits fraction = a.extract(0, f64_fraction), zeros(16, 0);
  for (unsigned step = 32; step != 0; step /= 2) {
    const Bits is_shifted = equal(fraction.extract(0, step), Bits(step, 0));
    fraction = ite(is_shifted, shift_right_unsigned(fraction, Bits(16, step)), fraction);
    zeros = zeros + ite(is_shifted, Bits(16, step), Bits(16, 0));
  }
  const Bits is_power = equal(a.extract(0, f64_fraction), Bits(f64_fraction, 0));
  const Bits digit = exponent_of(a) + ite(is_power, Bits(16, 0), zeros - Bits(16, f64_fraction));
  return ite(is_float_zero(a), Bits(16, 2 * f64_bias), digit);
}

Bits smaller(const Bits& a, const Bits& b) { return ite(less_signed(a, b), a, b); }

Bits least_last_digit(std::span<const Bits> numbers) {
  Bits least(16, 2 * f64_bias);
  for (const Bits& number : numbers) least = smaller(least, last_digit(number));
  return least;
}

/// Whether the number is not 0, and its magnitude is less than a power of 2.
Bits is_tiny(const Bits& a, double least) {
  return ~is_float_zero(a) & less_unsigned(float_magnitude(a), constant(least));
}

/// Bounds what the machine may give for a sum: |result − exact sum|.
class ErrorOfSum {
 public:
  ErrorOfSum(const SumOfProducts& sum, const Bits& c, std::span<const Bits> a, std::span<const Bits> b)
      : sum_(sum), c_(c), a_(a), b_(b) {
    add(float_magnitude(c), is_tiny(c, sum.least_addend));
    for (std::size_t i = 0; i < a.size(); ++i)
      add(float_multiply(f64, Rounding::upward, float_magnitude(a[i]), float_magnitude(b[i])),
          is_tiny(a[i], sum.least_factor) | is_tiny(b[i], sum.least_factor));
  }

  /// A number of f64 that is not negative; infinite: any value.
  Bits bound() const {
    const FloatLayout layout = layout_of(sum_.format);
    const double highest = std::ldexp(1.0, layout.bias()), infinite = std::numeric_limits<double>::infinity();
    const Bits rounded = sum_.has_known_precision
                             ? float_multiply(f64, Rounding::upward, magnitude_, constant(relative_error()))
                             : constant(infinite);
    const Bits error = ite(is_exact(), constant(0), rounded);
    // A partial sum may be infinite.
    return ite(less_unsigned(magnitude_, constant(highest)),
               float_add(f64, Rounding::upward, error, dropped_), constant(infinite));
  }

 private:
  void add(const Bits& magnitude, const Bits& may_be_dropped) {
    magnitude_ = float_add(f64, Rounding::upward, magnitude_, magnitude);
    if (may_be_dropped.is_false()) return;
    dropped_ = float_add(f64, Rounding::upward, dropped_, ite(may_be_dropped, magnitude, constant(0)));
  }

  /// Each of the steps, as many as terms, has this error of the sum of all magnitudes at most; those of the
  /// sum in f64 are added.
  double relative_error() const {
    const double steps = static_cast<double>(a_.size()) + 1,
                 unit = std::ldexp(1.0, -layout_of(sum_.format).fraction);
    return (std::expm1(steps * std::log1p(unit)) + steps * std::ldexp(1.0, -50)) * (1 + 1e-9);
  }

  /// Whether every sum of some of the terms is a number of the format that is not subnormal: all are
  /// multiples of a power of 2, and their magnitudes together have no more digits than the format.
  Bits is_exact() const {
    const FloatLayout layout = layout_of(sum_.format);
    const Bits of_products = least_last_digit(a_) + least_last_digit(b_) - Bits(16, f64_bias);
    const Bits last = smaller(last_digit(c_), of_products);
    const Bits least(16, f64_bias + 1 - static_cast<unsigned>(layout.bias()));
    return less_equal_signed(exponent_of(magnitude_), last + Bits(16, layout.fraction)) &
           less_equal_signed(least, last);
  }

  const SumOfProducts& sum_;
  const Bits& c_;
  std::span<const Bits> a_, b_;
  Bits magnitude_ = constant(0), dropped_ = constant(0);
};

}  // namespace

Bits sum_of_products(const SumOfProducts& form, const Bits& c, std::span<const Bits> a,
                     std::span<const Bits> b) {
  if (c.is_constant() && are_constant(a) && are_constant(b)) {
    ExactSum exact(number(c));
    for (std::size_t i = 0; i < a.size(); ++i) exact.add(number(a[i]) * number(b[i]));
    const Bits sum(64, std::bit_cast<std::uint64_t>(exact.rounded_to_odd()));
    return float_convert(form.format, f64, Rounding::nearest_even, sum);
  }
  Bits sum = c;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum = float_multiply_add(f64, Rounding::nearest_even, a[i], b[i], sum);
  return sum_in_any_order(form, sum, c, a, b);
}

Bits sum_in_any_order(const SumOfProducts& form, const Bits& sum, const Bits& c, std::span<const Bits> a,
                      std::span<const Bits> b) {
  if (sum.is_constant()) return float_convert(form.format, f64, Rounding::nearest_even, sum);
  return float_approximate(Approximation::sum, form.format, sum, ErrorOfSum(form, c, a, b).bound());
}

}  // namespace ptxmc
