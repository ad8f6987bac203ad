#include "semantics/values/sum_of_products.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "semantics/values/sum_error.hpp"

using namespace ptxmc;

namespace {

double wide(FloatFormat format, unsigned width, std::uint64_t bits) {
  return std::bit_cast<double>(widen_to_f64(format, Bits(width, bits)).to_u64());
}

Bits f64(double value) { return {64, std::bit_cast<std::uint64_t>(value)}; }

}  // namespace

// PTX ISA 8.7 § 5.2.3.
TEST_CASE("Numbers of every format are widened exactly") {
  CHECK(wide(FloatFormat::f16, 16, 0xc000) == -2);
  CHECK(wide(FloatFormat::f16, 16, 1) == std::ldexp(1, -24));
  CHECK(wide(FloatFormat::bf16, 16, 0x3fc0) == 1.5);
  CHECK(wide(FloatFormat::tf32, 32, 0x3fc01fff) == 1.5);  // the low 13 bits do not count
  CHECK(wide(FloatFormat::e4m3, 8, 0x7e) == 448);
  CHECK(std::isnan(wide(FloatFormat::e4m3, 8, 0x7f)));
  CHECK(wide(FloatFormat::e5m2, 8, 0xfb) == -57344);
  CHECK(std::isinf(wide(FloatFormat::e5m2, 8, 0x7c)));
  CHECK(wide(FloatFormat::e2m3, 6, 0x1f) == 7.5);
  CHECK(wide(FloatFormat::e3m2, 6, 0x01) == 0.0625);
  CHECK(wide(FloatFormat::e2m1, 4, 0xf) == -6);
  CHECK(wide(FloatFormat::ue8m0, 8, 130) == 8);
  CHECK(std::isnan(wide(FloatFormat::ue8m0, 8, 255)));
}

TEST_CASE("Sums of products: constants and terms agree") {
  const std::vector<Bits> a = {f64(3), f64(-0.5), f64(1e10)}, b = {f64(2), f64(8), f64(1e-3)};
  const Bits sum = sum_of_products({.format = FloatFormat::f64}, f64(1), a, b);
  CHECK(std::bit_cast<double>(sum.to_u64()) == 1 + 6 - 4 + 1e10 * 1e-3);
  TermGraph graph;
  const Bits c = graph.variable(64, "c");
  Substitution substitution;
  substitution.set(c.term()->variable, f64(1));
  CHECK(identical(substitution.apply(sum_of_products({.format = FloatFormat::f64}, c, a, b)), sum));
}

namespace {

/// The bound of the error of c + x · y + 1 · z as a number of f64, for unknowns that have these values.
double error_of_sum(const SumOfProducts& form, double c, double x, double y, double z) {
  TermGraph graph;
  Substitution values;
  const auto unknown = [&](double value) {
    const Bits variable = graph.variable(64, "x");
    values.set(variable.term()->variable, f64(value));
    return variable;
  };
  const std::vector<Bits> a = {unknown(x), f64(1)}, b = {unknown(y), unknown(z)};
  const Bits sum = sum_of_products(form, unknown(c), a, b);
  REQUIRE(sum.term()->op == Operator::float_approximate);
  const Term& term = *sum.term();
  const Bits products(term.operands[1]);
  const auto bound = [&](const Bits& error) {
    return bound_of_error(term.format, relative_error_of(term), values.apply(error)).to_u64();
  };
  // What a term stands for has the value of the term.
  CHECK(bound(products) == bound(definition_of_error(*products.term())));
  return std::bit_cast<double>(bound(products));
}

}  // namespace

// PTX ISA 8.7 § 9.7.14.5.14: "accumulation order, rounding and handling of subnormal inputs are unspecified".
TEST_CASE("A sum of unknowns is any value that an order and a rounding may give") {
  const double ulp = std::ldexp(1, -23), tiny = std::ldexp(1, -100);
  CHECK(error_of_sum({}, 1, 3, 5, -16) == 0);
  CHECK(error_of_sum({}, 0, 0, 0, 0) == 0);
  CHECK(error_of_sum({}, 1, 1, 1 << 12, 1 << 23) == 0);
  const double error = error_of_sum({}, 1, 1, 1, 1 << 25);  // three steps
  CHECK(error > 3 * ulp * (1 << 25));
  CHECK(error < 4 * ulp * (1 << 25));
  CHECK(error_of_sum({}, 1, 1, tiny, 0) > 0);
  CHECK(error_of_sum({.format = FloatFormat::f16}, 1, 1, 1, 2045) == 0);
  CHECK(error_of_sum({.format = FloatFormat::f16}, 1, 1, 1, 4096) > 1);
  CHECK(error_of_sum({.format = FloatFormat::f64}, 1, 1, 1, 1 << 25) == 0);
  // A partial sum may overflow; the precision is not known.
  CHECK(std::isinf(error_of_sum({}, 1, std::ldexp(1, 127), 1, -std::ldexp(1, 127))));
  CHECK(std::isinf(error_of_sum({.has_known_precision = false}, 1, 1, 1, 1 << 25)));
  CHECK(error_of_sum({.has_known_precision = false}, 1, 2, 3, 4) == 0);
  // A subnormal number of f16 may count as zero.
  const double subnormal = std::ldexp(1, -20);
  CHECK(error_of_sum({.least_factor = std::ldexp(1, -14)}, 1, subnormal, 2, 1) == 2 * subnormal);
  CHECK(error_of_sum({.least_addend = std::ldexp(1, -14)}, subnormal, 1, 2, 1) == subnormal);
}

TEST_CASE("A sum of constants is exact before it is rounded") {
  const auto sum = [](FloatFormat to, double c, std::initializer_list<double> numbers) {
    std::vector<Bits> a, b;
    for (const double number : numbers) {
      a.push_back(f64(number));
      b.push_back(f64(1));
    }
    const Bits result = sum_of_products({.format = to}, f64(c), a, b);
    return to == FloatFormat::f32 ? std::bit_cast<float>(static_cast<std::uint32_t>(result.to_u64()))
                                  : static_cast<float>(result.to_u64());
  };
  const double tiny = std::ldexp(1, -100), large = std::ldexp(1, 100);
  CHECK(sum(FloatFormat::f32, 1, {large, -large, tiny}) == 1);
  CHECK(sum(FloatFormat::f32, tiny, {large, 3, -large, -3}) == static_cast<float>(tiny));
  // Halfway between 1 and the next number of f32, and a little more or less.
  const double half = std::ldexp(1, -24);
  const float next = 1 + std::ldexp(1.0F, -23);
  CHECK(sum(FloatFormat::f32, 1, {half}) == 1);
  CHECK(sum(FloatFormat::f32, 1, {half, tiny}) == next);
  CHECK(sum(FloatFormat::f32, 1, {tiny, half}) == next);
  CHECK(sum(FloatFormat::f32, next, {half, -tiny}) == next);
  CHECK(sum(FloatFormat::f32, next, {half, tiny * tiny, -tiny}) == next);
  CHECK(sum(FloatFormat::f32, -1, {-half, -tiny}) == -next);
  // 2049 is halfway between two numbers of f16: 0x6800 is 2048, 0x6801 is 2050.
  CHECK(sum(FloatFormat::f16, 2048, {1, -tiny}) == 0x6800);
  CHECK(sum(FloatFormat::f16, 2048, {1, tiny}) == 0x6801);
  CHECK(std::isinf(sum(FloatFormat::f32, 1, {INFINITY, tiny})));
  CHECK(std::isnan(sum(FloatFormat::f32, -INFINITY, {INFINITY, tiny})));
}
