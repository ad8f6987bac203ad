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
#include "semantics/values/sum_error.hpp"

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

/// Each of the steps, as many as terms, has this error of the sum of all magnitudes at most; those of the sum
/// in f64 are added. Infinite if no precision is known.
double relative_error(const SumOfProducts& form, std::size_t products) {
  if (!form.has_known_precision) return std::numeric_limits<double>::infinity();
  const double steps = static_cast<double>(products) + 1,
               unit = std::ldexp(1.0, -layout_of(form.format).fraction);
  return (std::expm1(steps * std::log1p(unit)) + steps * std::ldexp(1.0, -50)) * (1 + 1e-9);
}

}  // namespace

Bits sum_of_products(const SumOfProducts& form, const Bits& c, std::span<const Bits> a,
                     std::span<const Bits> b) {
  if (c.is_constant() && are_constant(a) && are_constant(b)) {
    ExactSum exact(number(c));
    for (std::size_t i = 0; i < a.size(); ++i) exact.add(number(a[i]) * number(b[i]));
    const Bits sum(64, std::bit_cast<std::uint64_t>(exact.rounded_to_odd()));
    return float_convert(form.format, FloatFormat::f64, Rounding::nearest_even, sum);
  }
  Bits sum = c;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum = float_multiply_add(FloatFormat::f64, Rounding::nearest_even, a[i], b[i], sum);
  return sum_in_any_order(form, sum, c, a, b);
}

Bits sum_in_any_order(const SumOfProducts& form, const Bits& sum, const Bits& c, std::span<const Bits> a,
                      std::span<const Bits> b) {
  if (sum.is_constant()) return float_convert(form.format, FloatFormat::f64, Rounding::nearest_even, sum);
  Bits error = with_product(no_products(), form.least_addend, c, one(FloatFormat::f64));
  for (std::size_t i = 0; i < a.size(); ++i) error = with_product(error, form.least_factor, a[i], b[i]);
  return float_sum(form.format, relative_error(form, a.size()), sum, error);
}

}  // namespace ptxmc
