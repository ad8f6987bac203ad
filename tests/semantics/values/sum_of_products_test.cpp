#include "semantics/values/sum_of_products.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <vector>

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
  const Bits sum = sum_of_exact_products(f64(1), a, b);
  CHECK(std::bit_cast<double>(sum.to_u64()) == 1 + 6 - 4 + 1e10 * 1e-3);
  TermGraph graph;
  const Bits c = graph.variable(64, "c");
  Substitution substitution;
  substitution.set(c.term()->variable, f64(1));
  CHECK(identical(substitution.apply(sum_of_exact_products(c, a, b)), sum));
}
