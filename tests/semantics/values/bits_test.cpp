// Constants, against arithmetic on single bits, and the edges by hand.
#include "semantics/values/bits.hpp"

#include <doctest/doctest.h>

#include <random>
#include <stdexcept>

using namespace ptxmc;

namespace {

/// Bits one by one, the lowest first: slow arithmetic as one learns it at school.
using Digits = std::vector<bool>;

Digits digits_of(const Bits& x) {
  Digits digits(x.width());
  for (unsigned i = 0; i < x.width(); ++i) digits[i] = (x.value() >> i & 1) == 1;
  return digits;
}

Bits from_digits(const Digits& digits) {
  u128 value = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) value |= u128{digits[i]} << i;
  return Bits(static_cast<unsigned>(digits.size()), value);
}

Digits add(const Digits& a, const Digits& b, bool carry = false) {
  Digits sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int count = a[i] + b[i] + carry;
    sum[i] = count % 2 == 1;
    carry = count >= 2;
  }
  return sum;
}

Digits complement(Digits a) {
  a.flip();
  return a;
}

Digits negate(const Digits& a) { return add(complement(a), Digits(a.size()), true); }

Digits shift_up(const Digits& a, std::size_t places, bool fill = false) {
  Digits result(a.size(), fill);
  for (std::size_t i = places; i < a.size(); ++i) result[i] = a[i - places];
  return result;
}

Digits shift_down(const Digits& a, std::size_t places, bool fill = false) {
  Digits result(a.size(), fill);
  for (std::size_t i = places; i < a.size(); ++i) result[i - places] = a[i];
  return result;
}

Digits multiply(const Digits& a, const Digits& b) {
  Digits product(a.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    if (b[i]) product = add(product, shift_up(a, i));
  return product;
}

bool less(const Digits& a, const Digits& b) {
  for (std::size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i]) return b[i];
  return false;
}

bool less_with_sign(const Digits& a, const Digits& b) { return a.back() != b.back() ? a.back() : less(a, b); }

struct Division {
  Digits quotient, remainder;
};

// One digit of the dividend after the other; the divisor is not zero. A digit more than the operands have.
Division divide(const Digits& a, const Digits& b) {
  Digits divisor = b, rest(a.size() + 1);
  divisor.push_back(false);
  Digits quotient(a.size());
  for (std::size_t i = a.size(); i-- > 0;) {
    rest = shift_up(rest, 1, a[i]);
    quotient[i] = !less(rest, divisor);
    if (quotient[i]) rest = add(rest, negate(divisor));
  }
  rest.pop_back();
  return {quotient, rest};
}

Division divide_with_sign(const Digits& a, const Digits& b) {
  const bool a_negative = a.back(), b_negative = b.back();
  Division result = divide(a_negative ? negate(a) : a, b_negative ? negate(b) : b);
  if (a_negative != b_negative) result.quotient = negate(result.quotient);
  if (a_negative) result.remainder = negate(result.remainder);
  return result;
}

class Numbers {
 public:
  Bits of_width(unsigned width) {
    const u128 random = static_cast<u128>(random_()) << 64 | random_();
    switch (random_() % 4) {
      case 0:
        return Bits(width, random);
      case 1:
        return Bits(width, random >> random_() % 128);
      case 2:
        return Bits(width, ~(random >> random_() % 128));
      default:
        return Bits(width, (u128{1} << random_() % 128) - random_() % 2);
    }
  }

 private:
  std::mt19937_64 random_{7};
};

constexpr unsigned widths[] = {1, 2, 3, 7, 8, 16, 31, 32, 33, 63, 64, 65, 96, 127, 128};

u128 wide(std::uint64_t high, std::uint64_t low) { return static_cast<u128>(high) << 64 | low; }

}  // namespace

TEST_CASE("arithmetic, logic and order agree with arithmetic on single bits") {
  Numbers numbers;
  for (unsigned width : widths)
    for (int i = 0; i < 30; ++i) {
      const Bits x = numbers.of_width(width), y = numbers.of_width(width);
      const Digits a = digits_of(x), b = digits_of(y);
      CAPTURE(width);
      CAPTURE(to_string(x));
      CAPTURE(to_string(y));
      CHECK(identical(x + y, from_digits(add(a, b))));
      CHECK(identical(x - y, from_digits(add(a, complement(b), true))));
      CHECK(identical(-x, from_digits(negate(a))));
      CHECK(identical(~x, from_digits(complement(a))));
      CHECK(identical(x * y, from_digits(multiply(a, b))));
      CHECK(equal(x, y).is_true() == (a == b));
      CHECK(less_unsigned(x, y).is_true() == less(a, b));
      CHECK(less_equal_unsigned(x, y).is_true() == !less(b, a));
      CHECK(less_signed(x, y).is_true() == less_with_sign(a, b));
      CHECK(less_equal_signed(x, y).is_true() == !less_with_sign(b, a));
      Digits both(width), either(width), one(width);
      for (unsigned k = 0; k < width; ++k) {
        both[k] = a[k] && b[k];
        either[k] = a[k] || b[k];
        one[k] = a[k] != b[k];
      }
      CHECK(identical(x & y, from_digits(both)));
      CHECK(identical(x | y, from_digits(either)));
      CHECK(identical(x ^ y, from_digits(one)));
    }
}

TEST_CASE("division agrees with division on single bits") {
  Numbers numbers;
  for (unsigned width : widths)
    for (int i = 0; i < 30; ++i) {
      const Bits x = numbers.of_width(width), y = numbers.of_width(width);
      if (y.value() == 0) continue;
      CAPTURE(width);
      CAPTURE(to_string(x));
      CAPTURE(to_string(y));
      const Division whole = divide(digits_of(x), digits_of(y));
      CHECK(identical(divide_unsigned(x, y), from_digits(whole.quotient)));
      CHECK(identical(remainder_unsigned(x, y), from_digits(whole.remainder)));
      const Division with_sign = divide_with_sign(digits_of(x), digits_of(y));
      CHECK(identical(divide_signed(x, y), from_digits(with_sign.quotient)));
      CHECK(identical(remainder_signed(x, y), from_digits(with_sign.remainder)));
    }
}

TEST_CASE("shifts, parts and extensions agree with single bits") {
  Numbers numbers;
  for (unsigned width : widths)
    for (unsigned places = 0; places <= width + 1; ++places) {
      const Bits x = numbers.of_width(width);
      const Digits a = digits_of(x);
      CAPTURE(width);
      CAPTURE(places);
      CAPTURE(to_string(x));
      for (unsigned amount_width : {8u, 32u, 128u}) {
        const Bits amount(amount_width, places);
        CHECK(identical(shift_left(x, amount), from_digits(shift_up(a, places))));
        CHECK(identical(shift_right_unsigned(x, amount), from_digits(shift_down(a, places))));
        CHECK(identical(shift_right_signed(x, amount), from_digits(shift_down(a, places, a.back()))));
      }
      if (places >= width) continue;
      const auto low = a.begin() + places;
      CHECK(identical(x.extract(places, width - places), from_digits(Digits(low, a.end()))));
      CHECK(x.bit(places).is_true() == a[places]);
      if (places == 0) continue;
      const Bits part = x.extract(0, places);
      Digits wider(a.begin(), low);
      CHECK(identical(concat(x.extract(places, width - places), part), x));
      wider.resize(width, false);
      CHECK(identical(part.zero_extend(width), from_digits(wider)));
      wider.assign(a.begin(), low);
      wider.resize(width, a[places - 1]);
      CHECK(identical(part.sign_extend(width), from_digits(wider)));
    }
}

TEST_CASE("128 bits: products and quotients computed elsewhere") {
  // by Python's integers of any size
  const Bits a(128, wide(0x123456789abcdef0, 0xfedcba9876543210));
  const Bits b(128, wide(0xfedcba9876543210, 0x0123456789abcdef));
  const Bits d(128, wide(0x0000000000000012, 0x3456789abcdef011));
  CHECK(identical(a + b, Bits(128, wide(0x1111111111111100, 0xffffffffffffffff))));
  CHECK(identical(a - b, Bits(128, wide(0x13579be02468ace0, 0xfdb97530eca86421))));
  CHECK(identical(a * b, Bits(128, wide(0xaa6c876160ec6a52, 0x2236d88fe5618cf0))));
  CHECK(identical(divide_unsigned(b, a), Bits(128, wide(0x0000000000000000, 0x000000000000000e))));
  CHECK(identical(remainder_unsigned(b, a), Bits(128, wide(0x00000000000000e2, 0x111111111111110f))));
  CHECK(identical(divide_unsigned(a, d), Bits(128, wide(0x0000000000000000, 0x0100000000000000))));
  CHECK(identical(remainder_unsigned(a, d), Bits(128, wide(0x0000000000000000, 0xeddcba9876543210))));
  CHECK(identical(divide_signed(b, d), Bits(128, wide(0xffffffffffffffff, 0xfff0000000000000))));
  CHECK(identical(remainder_signed(b, d), Bits(128, wide(0xffffffffffffffff, 0x0233456789abcdef))));
  CHECK(identical(divide_signed(a, b), Bits(128, wide(0xffffffffffffffff, 0xfffffffffffffff1))));
  CHECK(identical(remainder_signed(a, b), Bits(128, wide(0x0123456789abcde1, 0x0fedcba987654311))));
  CHECK(less_signed(b, a).is_true());
  CHECK(less_unsigned(a, b).is_true());
}

TEST_CASE("division by zero is that of SMT-LIB") {
  const Bits zero(32, 0), seven(32, 7), minus_seven = -seven;
  CHECK(divide_unsigned(seven, zero).value() == 0xffffffff);
  CHECK(remainder_unsigned(seven, zero).value() == 7);
  CHECK(divide_signed(seven, zero).to_s64() == -1);
  CHECK(divide_signed(minus_seven, zero).to_s64() == 1);
  CHECK(remainder_signed(seven, zero).to_s64() == 7);
  CHECK(remainder_signed(minus_seven, zero).to_s64() == -7);
}

TEST_CASE("the least number divided by -1 wraps") {
  for (unsigned width : widths) {
    const Bits least = shift_left(Bits(width, 1), Bits(8, width - 1)), minus_one = -Bits(width, 1);
    CAPTURE(width);
    CHECK(identical(divide_signed(least, minus_one), least));
    CHECK(remainder_signed(least, minus_one).value() == 0);
  }
}

TEST_CASE("signed quotients go toward zero, remainders have the sign of the dividend") {
  const auto quotient = [](int a, int b) { return divide_signed(Bits(8, a), Bits(8, b)).to_s64(); };
  const auto remainder = [](int a, int b) { return remainder_signed(Bits(8, a), Bits(8, b)).to_s64(); };
  CHECK(quotient(7, 2) == 3);
  CHECK(quotient(-7, 2) == -3);
  CHECK(quotient(7, -2) == -3);
  CHECK(quotient(-7, -2) == 3);
  CHECK(remainder(7, 2) == 1);
  CHECK(remainder(-7, 2) == -1);
  CHECK(remainder(7, -2) == 1);
  CHECK(remainder(-7, -2) == -1);
}

TEST_CASE("shift amounts at and over the width, also those that a machine word cannot hold") {
  const Bits x(32, 0x80000001);
  for (const Bits& amount : {Bits(32, 32), Bits(32, 33), Bits(32, 0xffffffff), Bits(64, u128{1} << 32),
                             Bits(128, u128{1} << 64), Bits(128, ~u128{0})}) {
    CAPTURE(to_string(amount));
    CHECK(shift_left(x, amount).value() == 0);
    CHECK(shift_right_unsigned(x, amount).value() == 0);
    CHECK(shift_right_signed(x, amount).value() == 0xffffffff);
    CHECK(shift_right_signed(Bits(32, 1), amount).value() == 0);
  }
  CHECK(shift_left(x, Bits(32, 31)).value() == 0x80000000);
  CHECK(shift_right_signed(x, Bits(32, 31)).value() == 0xffffffff);
  CHECK(shift_left(Bits(128, 1), Bits(8, 127)).value() == u128{1} << 127);
  CHECK(shift_left(Bits(128, 1), Bits(8, 128)).value() == 0);
}

TEST_CASE("a constant is reduced modulo two to its width") {
  CHECK(Bits(8, 0x1ff).value() == 0xff);
  CHECK(Bits(128, ~u128{0}).value() == ~u128{0});
  CHECK(Bits(1, 2).is_false());
  CHECK(Bits::boolean(true).is_true());
  CHECK_FALSE(Bits(2, 1).is_true());
  CHECK(Bits(32, static_cast<u128>(-1)).to_s64() == -1);
  CHECK(Bits(64, 1).to_s64() == 1);
  CHECK(Bits(128, wide(5, 6)).to_u64() == 6);
  CHECK((Bits(128, ~u128{0}).to_s128() == -1));
}

TEST_CASE("choice between constants") {
  const Bits one(8, 1), two(8, 2);
  CHECK(identical(ite(Bits::boolean(true), one, two), one));
  CHECK(identical(ite(Bits::boolean(false), one, two), two));
}

TEST_CASE("mistakes of ours are errors") {
  const Bits a(32, 1), b(64, 1);
  CHECK_THROWS_AS(Bits(0, 0), std::logic_error);
  CHECK_THROWS_AS(Bits(129, 0), std::logic_error);
  CHECK_THROWS_AS(a + b, std::logic_error);
  CHECK_THROWS_AS(divide_signed(a, b), std::logic_error);
  CHECK_THROWS_AS(equal(a, b), std::logic_error);
  CHECK_THROWS_AS(ite(a, a, a), std::logic_error);
  CHECK_THROWS_AS(ite(Bits::boolean(true), a, b), std::logic_error);
  CHECK_THROWS_AS(a.extract(1, 32), std::logic_error);
  CHECK_THROWS_AS(a.extract(32, 1), std::logic_error);
  CHECK_THROWS_AS(a.extract(4, 0), std::logic_error);
  CHECK_THROWS_AS(b.zero_extend(32), std::logic_error);
  CHECK_THROWS_AS(b.sign_extend(32), std::logic_error);
  CHECK_THROWS_AS(a.zero_extend(129), std::logic_error);
  CHECK_THROWS_AS(concat(Bits(128, 0), a), std::logic_error);
  CHECK_THROWS_AS(Bits().value(), std::logic_error);
  CHECK_THROWS_AS(Bits(65, 0).to_s64(), std::logic_error);
  TermGraph graph;
  const Bits x = graph.variable(64, "x");
  CHECK_THROWS_AS(x.value(), std::logic_error);
  CHECK_THROWS_AS(a + x, std::logic_error);
  CHECK_THROWS_AS(concat(x, Bits(65, 0)), std::logic_error);
  CHECK_THROWS_AS(x.zero_extend(129), std::logic_error);
  CHECK_THROWS_AS(graph.variable(0, "y"), std::logic_error);
  CHECK_THROWS_AS(graph.variable(129, "y"), std::logic_error);
}
