// Divisions by constants as compilers write them: multiplications by what Granlund and Montgomery's figures
// 4.1, 5.2 and 6.2 compute, here for operands of 8 bits, of which all can be tried.
#include "tests/semantics/rewriting.hpp"

using namespace ptxmc;

namespace {

constexpr unsigned width = 8;

/// Expects the value to have this text, and to be right for every operand.
template <class Compute, class Expected>
void check_all_operands(const Compute& compute, const std::string& text, const Expected& expected) {
  TermGraph graph;
  const Bits x = graph.variable(width, "x");
  const Bits term = compute(x);
  CHECK(to_string(term) == text);
  for (unsigned number = 0; number < 256; ++number) {
    CAPTURE(number);
    Substitution values;
    values.set(x.term()->variable, Bits(width, number));
    REQUIRE(identical(values.apply(term), compute(Bits(width, number))));
    REQUIRE(values.apply(term).to_u64() == (expected(number) & 0xff));
  }
}

Bits high_half(const Bits& product) { return product.extract(width, width); }

Bits number_shift(const Bits& value, unsigned places, bool is_signed) {
  return is_signed ? shift_right_signed(value, Bits(32, places))
                   : shift_right_unsigned(value, Bits(32, places));
}

std::string hex(unsigned number) { return to_string(Bits(width, number)); }

}  // namespace

TEST_CASE("an unsigned division by a constant is found in its multiplication") {
  for (unsigned divisor = 3; divisor < 255; ++divisor) {  // a multiple of 255 is a sum
    if ((divisor & (divisor - 1)) == 0) continue;
    CAPTURE(divisor);
    unsigned places = 0;
    while (1U << places < divisor) ++places;
    // The factor has 9 bits; where 8 are enough, with fewer places, compilers use those.
    unsigned factor = (1U << (width + places)) / divisor + 1;
    while (places > 0 && factor % 2 == 0) factor /= 2, --places;
    const auto quotient = [&](const Bits& x) {
      const Bits product = x.zero_extend(2 * width) * Bits(2 * width, factor & 0xff);
      if (factor < 256) return number_shift(high_half(product), places, false);
      const Bits t = high_half(product);
      return number_shift(number_shift(x - t, 1, false) + t, places - 1, false);
    };
    check_all_operands(quotient, "(x /u " + hex(divisor) + ")", [&](unsigned x) { return x / divisor; });
    check_all_operands([&](const Bits& x) { return x - quotient(x) * Bits(width, divisor); },
                       "(x %u " + hex(divisor) + ")", [&](unsigned x) { return x % divisor; });
  }
}

TEST_CASE("a signed division by a constant is found in its multiplication") {
  for (unsigned divisor = 3; divisor < 128; ++divisor) {
    if ((divisor & (divisor - 1)) == 0) continue;
    CAPTURE(divisor);
    unsigned places = 0;
    while (2U << places < divisor) ++places;
    const unsigned factor = (1U << (width + places)) / divisor + 1;  // 128 to 255
    const auto quotient = [&](const Bits& x) {
      const Bits high = high_half(x.sign_extend(2 * width) * Bits(width, factor).sign_extend(2 * width)) + x;
      return number_shift(high, places, true) + number_shift(high, width - 1, false);
    };
    const auto as_signed = [](unsigned x) { return static_cast<int>(static_cast<std::int8_t>(x)); };
    const int by = static_cast<int>(divisor);
    check_all_operands(quotient, "(x /s " + hex(divisor) + ")",
                       [&](unsigned x) { return static_cast<unsigned>(as_signed(x) / by); });
    check_all_operands([&](const Bits& x) { return x - quotient(x) * Bits(width, divisor); },
                       "(x %s " + hex(divisor) + ")",
                       [&](unsigned x) { return static_cast<unsigned>(as_signed(x) % by); });
  }
}

TEST_CASE("a signed division by a factor that is no negative number") {
  const auto third = [](const Bits& x) {
    const Bits high = high_half(x.sign_extend(2 * width) * Bits(2 * width, 0x56));
    return high + number_shift(high, width - 1, false);
  };
  check_all_operands(third, "(x /s 0x3)", [](unsigned x) {
    return static_cast<unsigned>(static_cast<int>(static_cast<std::int8_t>(x)) / 3);
  });
}

TEST_CASE("products by every factor, shifted by every number of places, keep their values") {
  for (unsigned factor = 0; factor < 256; ++factor)
    for (unsigned places = width; places < 2 * width; ++places) {
      CAPTURE(factor);
      CAPTURE(places);
      TermGraph graph;
      const Bits x = graph.variable(width, "x");
      const auto parts = [&](const Bits& operand) {
        const unsigned rest = 2 * width - places;
        const Bits product = operand.zero_extend(2 * width) * Bits(2 * width, factor);
        const Bits signed_product =
            operand.sign_extend(2 * width) * Bits(width, factor).sign_extend(2 * width);
        const Bits high = high_half(signed_product) + operand, t = high_half(product);
        return std::vector<Bits>{
            product.extract(places, rest).zero_extend(width),
            signed_product.extract(places, rest).sign_extend(width) +
                signed_product.extract(2 * width - 1, 1).zero_extend(width),
            number_shift(high, places - width, true) + number_shift(high, width - 1, false),
            number_shift(number_shift(operand - t, 1, false) + t, places - width, false)};
      };
      const std::vector<Bits> terms = parts(x);
      for (unsigned number = 0; number < 256; number += number < 130 && number > 125 ? 1 : 5) {
        Substitution values;
        values.set(x.term()->variable, Bits(width, number));
        const std::vector<Bits> numbers = parts(Bits(width, number));
        for (std::size_t i = 0; i < terms.size(); ++i) {
          CAPTURE(i);
          CAPTURE(number);
          REQUIRE(identical(values.apply(terms[i]), numbers[i]));
        }
      }
    }
}
