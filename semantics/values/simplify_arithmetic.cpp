#include "semantics/values/simplify_pattern.hpp"

namespace ptxmc::simplify {

namespace {

// The k of a constant 2^k.
std::optional<unsigned> power_of_two(const Bits& x) {
  if (!x.is_constant() || x.value() == 0 || (x.value() & (x.value() - 1)) != 0) return std::nullopt;
  unsigned exponent = 0;
  while (x.value() >> exponent != 1) ++exponent;
  return exponent;
}

}  // namespace

Bits negate(const Bits& a) {
  // -(-x) = x
  if (is(a, Operator::negate)) return operand(a, 0);
  // -(x - y) = y - x
  if (is(a, Operator::subtract)) return operand(a, 1) - operand(a, 0);
  // -(x + c) = -c - x
  if (has_constant(a, Operator::add)) return -operand(a, 1) - operand(a, 0);
  if (auto choice = within_choice(a, [](const Bits& x) { return -x; })) return *choice;
  return node(Operator::negate, a.width(), {a});
}

Bits add(const Bits& x, const Bits& y) {
  const auto [a, b] = ordered(x, y);
  // x + 0 = x
  if (is_constant_zero(b)) return a;
  // (x + c1) + c2 = x + (c1 + c2)
  if (b.is_constant() && has_constant(a, Operator::add)) return operand(a, 0) + (operand(a, 1) + b);
  // (x + c) + y = (x + y) + c
  if (has_constant(a, Operator::add)) return (operand(a, 0) + b) + operand(a, 1);
  if (has_constant(b, Operator::add)) return (a + operand(b, 0)) + operand(b, 1);
  // (c1 - x) + c2 = (c1 + c2) - x
  if (b.is_constant() && is(a, Operator::subtract) && operand(a, 0).is_constant())
    return (operand(a, 0) + b) - operand(a, 1);
  // x + -y = x - y
  if (is(b, Operator::negate)) return a - operand(b, 0);
  if (is(a, Operator::negate)) return b - operand(a, 0);
  // y + (x - y) = x; a difference is younger than its parts, so on the right
  if (is(b, Operator::subtract) && identical(operand(b, 1), a)) return operand(b, 0);
  // floor(x * c / 2^k), and 1 for negative x: x / d
  if (auto quotient = signed_quotient_in(a, b)) return *quotient;
  if (auto quotient = signed_quotient_in(b, a)) return *quotient;
  // (x ++ 0) + zext(y) = x ++ y, but x + c remains a sum
  if (!b.is_constant())
    if (auto whole = join_disjoint(a, b)) return *whole;
  if (auto choice = within_choice(a, b, [](const Bits& p, const Bits& q) { return p + q; })) return *choice;
  return node(Operator::add, a.width(), {a, b});
}

Bits subtract(const Bits& a, const Bits& b) {
  // x - x = 0
  if (identical(a, b)) return zero(a.width());
  // x - c = x + -c
  if (b.is_constant()) return a + -b;
  // 0 - x = -x
  if (is_constant_zero(a)) return -b;
  // (x + c) - y = (x - y) + c
  if (has_constant(a, Operator::add)) return (operand(a, 0) - b) + operand(a, 1);
  // x - (y + c) = (x - y) + -c
  if (has_constant(b, Operator::add)) return (a - operand(b, 0)) + -operand(b, 1);
  // x - -y = x + y
  if (is(b, Operator::negate)) return a + operand(b, 0);
  // c1 - (c2 - x) = x + (c1 - c2)
  if (a.is_constant() && is(b, Operator::subtract) && operand(b, 0).is_constant())
    return operand(b, 1) + (a - operand(b, 0));
  for (unsigned i = 0; i < 2; ++i) {
    // (x + y) - x = y
    if (is(a, Operator::add) && identical(operand(a, i), b)) return operand(a, 1 - i);
    // x - (x + y) = -y
    if (is(b, Operator::add) && identical(operand(b, i), a)) return -operand(b, 1 - i);
  }
  // x - (x / c) * c = x % c
  if (auto remainder = remainder_in(a, b)) return *remainder;
  if (auto choice = within_choice(a, b, [](const Bits& p, const Bits& q) { return p - q; })) return *choice;
  return node(Operator::subtract, a.width(), {a, b});
}

Bits multiply(const Bits& x, const Bits& y) {
  const auto [a, b] = ordered(x, y);
  // x * 0 = 0
  if (is_constant_zero(b)) return b;
  // x * 2^k = x << k
  if (const auto k = power_of_two(b)) return ptxmc::shift_left(a, Bits(32, *k));
  // x * -1 = -x
  if (is_ones(b)) return -a;
  // (x * c1) * c2 = x * (c1 * c2)
  if (b.is_constant() && has_constant(a, Operator::multiply)) return operand(a, 0) * (operand(a, 1) * b);
  if (auto choice = within_choice(a, b, [](const Bits& p, const Bits& q) { return p * q; })) return *choice;
  return node(Operator::multiply, a.width(), {a, b});
}

Bits divide_unsigned(const Bits& a, const Bits& b) {
  // x / 0 = ones
  if (is_constant_zero(b)) return ones(a.width());
  // x / 2^k = x >> k
  if (const auto k = power_of_two(b)) return ptxmc::shift_right_unsigned(a, Bits(32, *k));
  if (auto choice = within_choice(a, b, ptxmc::divide_unsigned)) return *choice;
  return node(Operator::divide_unsigned, a.width(), {a, b});
}

Bits remainder_unsigned(const Bits& a, const Bits& b) {
  // x % 0 = x
  if (is_constant_zero(b)) return a;
  // x % 2^k = x & (2^k - 1)
  if (power_of_two(b)) return a & (b - Bits(b.width(), 1));
  // 0 % x = 0, x % x = 0
  if (is_constant_zero(a) || identical(a, b)) return zero(a.width());
  if (auto choice = within_choice(a, b, ptxmc::remainder_unsigned)) return *choice;
  return node(Operator::remainder_unsigned, a.width(), {a, b});
}

Bits divide_signed(const Bits& a, const Bits& b) {
  // x / -1 = -x (before x / 1: in one bit, 1 is -1)
  if (is_ones(b)) return -a;
  // x / 1 = x
  if (is_one(b)) return a;
  if (auto choice = within_choice(a, b, ptxmc::divide_signed)) return *choice;
  return node(Operator::divide_signed, a.width(), {a, b});
}

Bits remainder_signed(const Bits& a, const Bits& b) {
  // x % 0 = x
  if (is_constant_zero(b)) return a;
  // x % 1 = x % -1 = 0, 0 % x = 0, x % x = 0
  if (is_one(b) || is_ones(b) || is_constant_zero(a) || identical(a, b)) return zero(a.width());
  if (auto choice = within_choice(a, b, ptxmc::remainder_signed)) return *choice;
  return node(Operator::remainder_signed, a.width(), {a, b});
}

}  // namespace ptxmc::simplify
