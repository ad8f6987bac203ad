#include "semantics/values/sum_error.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "semantics/values/float_operations.hpp"
#include "semantics/values/float_value.hpp"
#include "semantics/values/simplify_pattern.hpp"

namespace ptxmc {

namespace {

constexpr auto f64 = FloatFormat::f64;
constexpr unsigned f64_fraction = 52, f64_bias = 1023, products_width = 112;

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

/// Whether the number is not 0, and its magnitude is less than a power of 2.
Bits is_tiny(const Bits& a, double least) {
  return ~is_float_zero(a) & less_unsigned(float_magnitude(a), constant(least));
}

struct Products {
  Bits magnitude, may_be_dropped, last_digit;
};

Products unpacked(const Bits& products) {
  return {products.extract(0, 64), products.extract(64, 32), products.extract(96, 16)};
}

Bits packed(const Products& p) { return concat(p.last_digit, concat(p.may_be_dropped, p.magnitude)); }

Bits sum_with_product(const Bits& products, double least_factor, const Bits& a, const Bits& b) {
  Products sum = unpacked(products);
  const Bits magnitude = float_multiply(f64, Rounding::upward, float_magnitude(a), float_magnitude(b));
  sum.magnitude = float_add(f64, Rounding::upward, sum.magnitude, magnitude);
  const Bits is_dropped = is_tiny(a, least_factor) | is_tiny(b, least_factor);
  if (!is_dropped.is_false()) {
    const Bits dropped = float_convert(FloatFormat::f32, f64, Rounding::upward, magnitude);
    sum.may_be_dropped = float_add(FloatFormat::f32, Rounding::upward, sum.may_be_dropped,
                                   ite(is_dropped, dropped, Bits(32, 0)));
  }
  sum.last_digit = smaller(sum.last_digit, last_digit(a) + last_digit(b) - Bits(16, f64_bias));
  return packed(sum);
}

/// Whether every sum of some of the products is a number of the format that is not subnormal: all are
/// multiples of a power of 2, and their magnitudes together have no more digits than the format.
Bits is_exact(FloatFormat format, const Products& products) {
  const FloatLayout layout = layout_of(format);
  const Bits least(16, f64_bias + 1 - static_cast<unsigned>(layout.bias()));
  return less_equal_signed(exponent_of(products.magnitude), products.last_digit + Bits(16, layout.fraction)) &
         less_equal_signed(least, products.last_digit);
}

}  // namespace

Bits no_products() {
  return packed(
      {.magnitude = constant(0), .may_be_dropped = Bits(32, 0), .last_digit = Bits(16, 2 * f64_bias)});
}

Bits with_product(const Bits& products, double least_factor, const Bits& a, const Bits& b) {
  if (products.is_constant() && a.is_constant() && b.is_constant())
    return sum_with_product(products, least_factor, a, b);
  // A power of 2 is its exponent.
  return simplify::node({.op = Operator::float_add_error,
                         .format = f64,
                         .width = products_width,
                         .low = static_cast<std::uint16_t>(exponent_of(constant(least_factor)).to_u64())},
                        {products, a, b});
}

double least_factor_of(const Term& term) {
  return std::bit_cast<double>(std::uint64_t{term.low} << f64_fraction);
}

Bits definition_of_error(const Term& term) {
  return sum_with_product(Bits(term.operands[0]), least_factor_of(term), Bits(term.operands[1]),
                          Bits(term.operands[2]));
}

Bits bound_of_error(FloatFormat format, double relative_error, const Bits& products) {
  const Products sum = unpacked(products);
  const double highest = std::ldexp(1.0, layout_of(format).bias()),
               infinite = std::numeric_limits<double>::infinity();
  const Bits rounded = std::isinf(relative_error)
                           ? constant(infinite)
                           : float_multiply(f64, Rounding::upward, sum.magnitude, constant(relative_error));
  const Bits error = ite(is_exact(format, sum), constant(0), rounded);
  const Bits dropped = float_convert(f64, FloatFormat::f32, Rounding::nearest_even, sum.may_be_dropped);
  // A partial sum may be infinite.
  return ite(less_unsigned(sum.magnitude, constant(highest)),
             float_add(f64, Rounding::upward, error, dropped), constant(infinite));
}

Bits float_sum(FloatFormat format, double relative_error, const Bits& sum, const Bits& products) {
  if (sum.is_constant()) return float_convert(format, f64, Rounding::nearest_even, sum);
  return simplify::node({.op = Operator::float_approximate,
                         .format = format,
                         .width = static_cast<std::uint16_t>(layout_of(format).width),
                         .low = static_cast<std::uint16_t>(Approximation::sum),
                         .value = std::bit_cast<std::uint64_t>(relative_error)},
                        {sum, products});
}

double relative_error_of(const Term& term) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(term.value));
}

}  // namespace ptxmc
