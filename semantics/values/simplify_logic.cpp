#include "semantics/values/simplify_pattern.hpp"

namespace ptxmc::simplify {

namespace {

// `&` and `|` are dual: an equation for one of them also holds for the other if the operators are exchanged,
// and 0 with ones. The equations below are written for `&`.
struct Junction {
  Operator op;
  Operator dual_op;
  Bits absorbing;  // x & 0 = 0
  Bits neutral;    // x & ones = x

  Bits join(const Bits& a, const Bits& b) const { return op == Operator::bit_and ? a & b : a | b; }
};

Junction conjunction(unsigned width) {
  return {Operator::bit_and, Operator::bit_or, zero(width), ones(width)};
}
Junction disjunction(unsigned width) {
  return {Operator::bit_or, Operator::bit_and, ones(width), zero(width)};
}

// a & r where r has two operands, one of which is related to a.
std::optional<Bits> absorb(const Junction& junction, const Bits& a, const Bits& r) {
  const bool same = is(r, junction.op), dual = is(r, junction.dual_op);
  if (!same && !dual) return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    const Bits x = operand(r, i), y = operand(r, 1 - i);
    // a & (a & y) = a & y
    if (same && identical(a, x)) return r;
    // a & (~a & y) = 0
    if (same && are_complements(a, x)) return junction.absorbing;
    // a & (a | y) = a
    if (dual && identical(a, x)) return a;
    // a & (~a | y) = a & y
    if (dual && are_complements(a, x)) return junction.join(a, y);
  }
  return std::nullopt;
}

// (x | y) & (x | ~y) = x
std::optional<Bits> resolve(const Junction& junction, const Bits& a, const Bits& b) {
  if (!is(a, junction.dual_op) || !is(b, junction.dual_op)) return std::nullopt;
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned k = 0; k < 2; ++k)
      if (identical(operand(a, i), operand(b, k)) && are_complements(operand(a, 1 - i), operand(b, 1 - k)))
        return operand(a, i);
  return std::nullopt;
}

// a & b where b is a constant.
std::optional<Bits> join_constant(const Junction& junction, const Bits& a, const Bits& b) {
  if (identical(b, junction.absorbing)) return b;
  if (identical(b, junction.neutral)) return a;
  // (x & c1) & c2 = x & (c1 & c2)
  if (has_constant(a, junction.op)) return junction.join(operand(a, 0), junction.join(operand(a, 1), b));
  return std::nullopt;
}

Bits join(const Junction& junction, const Bits& x, const Bits& y) {
  const auto [a, b] = ordered(x, y);
  if (b.is_constant()) {
    if (auto simple = join_constant(junction, a, b)) return *simple;
  } else {
    // x & x = x
    if (identical(a, b)) return a;
    // x & ~x = 0
    if (are_complements(a, b)) return junction.absorbing;
    if (auto simple = absorb(junction, a, b)) return *simple;
    if (auto simple = absorb(junction, b, a)) return *simple;
    if (auto simple = resolve(junction, a, b)) return *simple;
  }
  const auto again = [&](const Bits& p, const Bits& q) { return junction.join(p, q); };
  if (auto choice = within_choice(a, b, again)) return *choice;
  return node(junction.op, a.width(), {a, b});
}

// x & 0..01..10..0 = zext(x[h:l] ++ 0): a mask of consecutive ones cuts out a field.
std::optional<Bits> and_with_mask(const Bits& a, const Bits& mask) {
  if (!mask.is_constant() || is_constant_zero(mask) || is_ones(mask) || has_constant(a, Operator::bit_and))
    return std::nullopt;
  // zext(x) & c = zext(x & c)
  if (is(a, Operator::zero_extend))
    return (operand(a, 0) & mask.extract(0, operand(a, 0).width())).zero_extend(a.width());
  unsigned low = 0;
  while (mask.bit(low).is_false()) ++low;
  unsigned end = low;
  while (end < mask.width() && mask.bit(end).is_true()) ++end;
  if (end < mask.width() && !is_constant_zero(mask.extract(end, mask.width() - end))) return std::nullopt;
  const Bits field = a.extract(low, end - low);
  return (low == 0 ? field : ptxmc::concat(field, zero(low))).zero_extend(a.width());
}

// ite of predicates, one of which is a constant or the condition itself
std::optional<Bits> ite_of_predicates(const Bits& c, const Bits& x, const Bits& y) {
  // ite(c, true, y) = ite(c, c, y) = c | y
  if (x.is_true() || identical(x, c)) return c | y;
  // ite(c, false, y) = ite(c, ~c, y) = ~c & y
  if (x.is_false() || are_complements(x, c)) return ~c & y;
  // ite(c, x, true) = ite(c, x, ~c) = ~c | x
  if (y.is_true() || are_complements(y, c)) return ~c | x;
  // ite(c, x, false) = ite(c, x, c) = c & x
  if (y.is_false() || identical(y, c)) return c & x;
  // ite(c, ~y, y) = c ^ y
  if (are_complements(x, y)) return c ^ y;
  return std::nullopt;
}

// ite of an ite
std::optional<Bits> ite_of_choice(const Bits& c, const Bits& x, const Bits& y) {
  // ite(c, ite(c, p, q), y) = ite(c, p, y)
  if (is(x, Operator::ite) && identical(operand(x, 0), c)) return ptxmc::ite(c, operand(x, 1), y);
  if (!is(y, Operator::ite)) return std::nullopt;
  // ite(c, x, ite(c, p, q)) = ite(c, x, q)
  if (identical(operand(y, 0), c)) return ptxmc::ite(c, x, operand(y, 2));
  // ite(c, x, ite(d, x, q)) = ite(c | d, x, q)
  if (identical(operand(y, 1), x)) return ptxmc::ite(c | operand(y, 0), x, operand(y, 2));
  return std::nullopt;
}

}  // namespace

Bits bit_not(const Bits& a) {
  // ~~x = x
  if (is(a, Operator::bit_not)) return operand(a, 0);
  // ~(x < y) = y <= x, ~(x <= y) = y < x
  if (is(a, Operator::less_unsigned)) return ptxmc::less_equal_unsigned(operand(a, 1), operand(a, 0));
  if (is(a, Operator::less_equal_unsigned)) return ptxmc::less_unsigned(operand(a, 1), operand(a, 0));
  if (is(a, Operator::less_signed)) return ptxmc::less_equal_signed(operand(a, 1), operand(a, 0));
  if (is(a, Operator::less_equal_signed)) return ptxmc::less_signed(operand(a, 1), operand(a, 0));
  if (auto choice = within_choice(a, [](const Bits& x) { return ~x; })) return *choice;
  return node(Operator::bit_not, a.width(), {a});
}

Bits bit_and(const Bits& a, const Bits& b) {
  if (auto field = and_with_mask(a, b)) return *field;
  if (auto field = and_with_mask(b, a)) return *field;
  return join(conjunction(a.width()), a, b);
}

Bits bit_or(const Bits& a, const Bits& b) {
  // (x ++ 0) | zext(y) = x ++ y
  if (auto whole = join_disjoint(a, b)) return *whole;
  return join(disjunction(a.width()), a, b);
}

Bits bit_xor(const Bits& x, const Bits& y) {
  const auto [a, b] = ordered(x, y);
  // x ^ x = 0
  if (identical(a, b)) return zero(a.width());
  // x ^ ~x = ones
  if (are_complements(a, b)) return ones(a.width());
  // x ^ 0 = x
  if (is_constant_zero(b)) return a;
  // x ^ ones = ~x
  if (is_ones(b)) return ~a;
  // (x ^ c1) ^ c2 = x ^ (c1 ^ c2)
  if (b.is_constant() && has_constant(a, Operator::bit_xor)) return operand(a, 0) ^ (operand(a, 1) ^ b);
  // p ^ (p ^ q) = q; p ^ q is younger than p, so on the right
  for (unsigned i = 0; i < 2; ++i)
    if (is(b, Operator::bit_xor) && identical(operand(b, i), a)) return operand(b, 1 - i);
  // ~x ^ y = ~(x ^ y)
  if (is(a, Operator::bit_not)) return ~(operand(a, 0) ^ b);
  if (is(b, Operator::bit_not)) return ~(a ^ operand(b, 0));
  // (x ++ 0) ^ zext(y) = x ++ y
  if (auto whole = join_disjoint(a, b)) return *whole;
  if (auto choice = within_choice(a, b, [](const Bits& p, const Bits& q) { return p ^ q; })) return *choice;
  return node(Operator::bit_xor, a.width(), {a, b});
}

Bits ite(const Bits& c, const Bits& x, const Bits& y) {
  // ite(c, x, x) = x
  if (identical(x, y)) return x;
  // ite(~c, x, y) = ite(c, y, x)
  if (is(c, Operator::bit_not)) return ptxmc::ite(operand(c, 0), y, x);
  // the same where ~ is part of the comparison
  if (is(c, Operator::less_equal_unsigned) || is(c, Operator::less_equal_signed))
    return simplify::ite(~c, y, x);
  if (x.width() == 1)
    if (auto simple = ite_of_predicates(c, x, y)) return *simple;
  if (auto simple = ite_of_choice(c, x, y)) return *simple;
  return node(Operator::ite, x.width(), {c, x, y});
}

}  // namespace ptxmc::simplify
