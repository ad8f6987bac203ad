// What the processor computes to nearest is one of the two neighbours that MPFR finds, and the right one.
#include "semantics/values/float_arithmetic.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <random>

#include "semantics/values/approximation.hpp"

using namespace ptxmc;
namespace fa = ptxmc::float_arithmetic;

namespace {

/// Often an edge, often close to one.
std::uint64_t random_number(std::mt19937_64& random, FloatFormat format) {
  const FloatLayout l = layout_of(format);
  const std::uint64_t exponent = random() % 4 == 0 ? random() % 3 : random() % (1U << l.exponent);
  const std::uint64_t fraction =
      random() % 3 == 0 ? random() % 3 : random() % (std::uint64_t{1} << l.fraction);
  return (random() % 2) << (l.width - 1) | exponent << l.fraction | fraction;
}

template <class Operation>
void check_nearest(FloatFormat format, Operation operation) {
  const auto at = [&](Rounding rounding) { return fa::number(format, operation(rounding)); };
  const double nearest = at(Rounding::nearest_even);
  const double below = at(Rounding::downward), above = at(Rounding::upward);
  if (std::isnan(below)) {
    CHECK(std::isnan(nearest));
    return;
  }
  CHECK((nearest == below || nearest == above));
  CHECK(below <= above);
}

}  // namespace

TEST_CASE("to nearest is down or up, in every format and operation") {
  std::mt19937_64 random(3);
  for (const FloatFormat format : {FloatFormat::f16, FloatFormat::bf16, FloatFormat::f32, FloatFormat::f64})
    for (int i = 0; i < 2'000; ++i) {
      const std::uint64_t a = random_number(random, format), b = random_number(random, format),
                          c = random_number(random, format);
      CAPTURE(a);
      CAPTURE(b);
      check_nearest(format, [&](Rounding r) { return fa::add(format, r, a, b); });
      check_nearest(format, [&](Rounding r) { return fa::multiply(format, r, a, b); });
      check_nearest(format, [&](Rounding r) { return fa::divide(format, r, a, b); });
      check_nearest(format, [&](Rounding r) { return fa::multiply_add(format, r, a, b, c); });
      check_nearest(format, [&](Rounding r) { return fa::square_root(format, r, a); });
      check_nearest(format, [&](Rounding r) { return fa::convert(format, FloatFormat::f64, r, a << 20); });
    }
}

TEST_CASE("sums and products of f32 are exact in f64, from where each mode rounds them") {
  std::mt19937_64 random(4);
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t a = random_number(random, FloatFormat::f32),
                        b = random_number(random, FloatFormat::f32);
    const double product = fa::number(FloatFormat::f32, a) * fa::number(FloatFormat::f32, b);
    if (std::isnan(product)) continue;
    for (const Rounding r :
         {Rounding::nearest_even, Rounding::toward_zero, Rounding::downward, Rounding::upward})
      CHECK(fa::multiply(FloatFormat::f32, r, a, b) ==
            fa::convert(FloatFormat::f32, FloatFormat::f64, r, std::bit_cast<std::uint64_t>(product)));
  }
}

TEST_CASE("f16 and bf16 numbers survive the way through f64") {
  for (const FloatFormat format : {FloatFormat::f16, FloatFormat::bf16})
    for (std::uint64_t a = 0; a < 1 << 16; ++a) {
      const double value = fa::number(format, a);
      if (std::isnan(value)) continue;
      const auto back =
          fa::convert(format, FloatFormat::f64, Rounding::nearest_even, std::bit_cast<std::uint64_t>(value));
      REQUIRE(back == a);
    }
}

TEST_CASE("integers beyond the range are clamped") {
  const std::uint64_t large = 0x7f000000;
  CHECK(fa::to_signed(32, FloatFormat::f32, Rounding::toward_zero, large) == 0x7fffffff);
  CHECK(fa::to_signed(64, FloatFormat::f32, Rounding::toward_zero, large | 0x80000000) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(fa::to_unsigned(64, FloatFormat::f32, Rounding::toward_zero, large) == ~std::uint64_t{0});
}

TEST_CASE("the interval of an approximation is as wide as the manual's bound") {
  const auto format = FloatFormat::f32;
  const auto interval = [&](Approximation f, std::uint64_t a) {
    return fa::approximation_interval(f, format, error_bound(f, format, a), a, a);
  };
  // 1/3 lies between 3eaaaaaa and 3eaaaaab: one unit in the last place in both directions.
  CHECK(interval(Approximation::reciprocal, 0x40400000).low == 0x3eaaaaaa);
  CHECK(interval(Approximation::reciprocal, 0x40400000).high == 0x3eaaaaab);
  // sin(1) = 14117540.37 * 2^-24, numbers 2^-24 apart: an absolute error of 2^-20.5 is 11.31 of them.
  const auto sine = interval(Approximation::sine, 0x3f800000);
  const std::uint64_t nearest = fa::approximate(Approximation::sine, format, 0x3f800000, 0);
  CHECK(nearest - sine.low == 10);
  CHECK(sine.high - nearest == 11);
  CHECK(interval(Approximation::exponential_2, 0x40000000).low == 0x40800000 - 4);
  CHECK(interval(Approximation::exponential_2, 0x40000000).high == 0x40800000 + 2);
}

// PTX ISA 8.7 § 9.7.3.13 to § 9.7.3.22: what the manual allows, a solver that does not know the operand
// allows.
TEST_CASE("what is sure of an approximation holds at both ends of its interval") {
  std::mt19937_64 random(5);
  const auto check_at = [&](Approximation f, FloatFormat format, std::uint64_t a) {
    if (!std::isfinite(fa::number(format, fa::approximate(f, format, a, a)))) return;
    const auto interval = fa::approximation_interval(f, format, error_bound(f, format, a), a, a);
    const unsigned width = layout_of(format).width;
    TermGraph graph;
    const Bits operand = graph.variable(width, "a");
    Term content = *float_approximate(f, format, operand).term();
    const Term constant = {.op = Operator::constant, .width = static_cast<std::uint16_t>(width), .value = a};
    content.operands[0] = graph.intern(constant);
    for (const std::uint64_t value : {interval.low, interval.high}) {
      INFO(name_of(f) << " of " << fa::number(format, a) << ": " << fa::number(format, value));
      CHECK(within_bound(content, Bits(width, value)).is_true());
    }
  };
  using enum Approximation;
  for (const Approximation f : {logarithm_2, exponential_2, hyperbolic_tangent, sine, cosine})
    for (int i = 0; i < 2000; ++i) {
      const bool near = i % 2 == 0;  // where functions change, else anywhere
      const auto a =
          std::bit_cast<std::uint32_t>(near ? static_cast<float>(random() % 65536) / 512 - 64
                                            : std::bit_cast<float>(static_cast<std::uint32_t>(random())));
      const bool is_positive = f != logarithm_2 || (a >> 31) == 0;
      if (is_positive) check_at(f, FloatFormat::f32, a);
      if (f != exponential_2 && f != hyperbolic_tangent) continue;
      check_at(f, FloatFormat::f16, random() & 0xffff);
      check_at(f, FloatFormat::bf16, random() & 0xffff);
    }
}
