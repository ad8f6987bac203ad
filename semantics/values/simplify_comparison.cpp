#include <tuple>
#include <vector>

#include "semantics/values/simplify_pattern.hpp"

namespace ptxmc::simplify {

namespace {

/// The equation left = right, which is simplified step by step. Terms can be 100,000 levels deep and need as
/// many steps, so there is no recursion.
struct Equation {
  Bits left, right;
};

// x = base + offset
struct Sum {
  Bits base;
  Bits offset;  // a constant
};

Sum as_sum(const Bits& x) {
  if (has_constant(x, Operator::add)) return {operand(x, 0), operand(x, 1)};
  return {x, zero(x.width())};
}

// p = q for two terms
std::optional<Equation> peel_sums(const Sum& p, const Sum& q) {
  // x + c1 = x + c2 is c1 = c2
  if (identical(p.base, q.base)) return Equation{p.offset, q.offset};
  // x + c1 = y + c2 is x + (c1 - c2) = y, with the older base on the left
  if (p.base.term()->number > q.base.term()->number) return peel_sums(q, p);
  if (!is_constant_zero(q.offset)) return Equation{p.base + (p.offset - q.offset), q.base};
  return std::nullopt;
}

// a = b for two terms
std::optional<Equation> peel_terms(const Bits& a, const Bits& b) {
  if (auto simpler = peel_sums(as_sum(a), as_sum(b))) return simpler;
  const auto both = [&](Operator op) {
    return is(a, op) && is(b, op) && operand(a, 0).width() == operand(b, 0).width();
  };
  // ~x = ~y, zext(x) = zext(y), sext(x) = sext(y) are x = y
  if (both(Operator::bit_not) || both(Operator::zero_extend) || both(Operator::sign_extend))
    return Equation{operand(a, 0), operand(b, 0)};
  return std::nullopt;
}

// x = c for a term x and a constant c
std::optional<Equation> peel_constant(const Bits& x, const Bits& c) {
  switch (x.term()->op) {
    case Operator::add:
      // x + c1 = c2 is x = c2 - c1
      if (has_constant(x, Operator::add)) return Equation{operand(x, 0), c - operand(x, 1)};
      return std::nullopt;
    case Operator::bit_xor:
      // x ^ c1 = c2 is x = c1 ^ c2
      if (has_constant(x, Operator::bit_xor)) return Equation{operand(x, 0), operand(x, 1) ^ c};
      return std::nullopt;
    case Operator::subtract:
      // c1 - x = c2 is x = c1 - c2; x - y = 0 is x = y
      if (operand(x, 0).is_constant()) return Equation{operand(x, 1), operand(x, 0) - c};
      if (is_constant_zero(c)) return Equation{operand(x, 0), operand(x, 1)};
      return std::nullopt;
    case Operator::negate:
      // -x = c is x = -c
      return Equation{operand(x, 0), -c};
    case Operator::bit_not:
      // ~x = c is x = ~c
      return Equation{operand(x, 0), ~c};
    case Operator::zero_extend:
    case Operator::sign_extend: {
      // zext(x) = c is x = c, without the upper bits; false, if these are not what the extension makes
      const Bits part = c.extract(0, operand(x, 0).width());
      const bool is_signed = is(x, Operator::sign_extend);
      const Bits back = is_signed ? part.sign_extend(c.width()) : part.zero_extend(c.width());
      return identical(back, c) ? Equation{operand(x, 0), part} : Equation{back, c};
    }
    default:
      return std::nullopt;
  }
}

// One step; empty if there is no simpler form, or if the answer is known.
std::optional<Equation> peel(const Equation& e) {
  if (e.left.is_constant() || e.left.width() == 1 || are_complements(e.left, e.right)) return std::nullopt;
  return e.right.is_constant() ? peel_constant(e.left, e.right) : peel_terms(e.left, e.right);
}

// The simplest equation that is equivalent to x = y; its operands are ordered.
Equation simplest(const Bits& x, const Bits& y) {
  std::optional<Equation> next = Equation{x, y};
  Equation e;
  while (next) {
    std::tie(e.left, e.right) = ordered(next->left, next->right);
    next = peel(e);
  }
  return e;
}

// An equation whose answer is ite(condition, then_answer, else_answer); the branch without a value is the
// answer to the remaining equation.
struct Split {
  Bits condition;
  Bits then_answer, else_answer;
  Equation rest;
};

std::optional<Split> split(const Equation& e) {
  const auto& [x, c] = e;
  if (!c.is_constant()) return std::nullopt;
  if (is(x, Operator::concat)) {
    // p ++ q = c is p = (upper part of c) & q = (lower part of c)
    const Bits p = operand(x, 0), q = operand(x, 1);
    const Bits upper = ptxmc::equal(p, c.extract(q.width(), p.width()));
    return Split{upper, Bits(), Bits::boolean(false), {q, c.extract(0, q.width())}};
  }
  if (!is(x, Operator::ite)) return std::nullopt;
  // ite(p, k, y) = c is ite(p, k = c, y = c) for a constant k, so that y is compared only if it is chosen
  const Bits condition = operand(x, 0), first = operand(x, 1), second = operand(x, 2);
  if (first.is_constant()) return Split{condition, ptxmc::equal(first, c), Bits(), {second, c}};
  if (second.is_constant()) return Split{condition, Bits(), ptxmc::equal(second, c), {first, c}};
  return std::nullopt;
}

// The answer to an equation in its simplest form.
Bits answer_of(const Equation& e) {
  const auto& [a, b] = e;
  // x = x
  if (identical(a, b)) return Bits::boolean(true);
  // two different numbers; x = ~x
  if (a.is_constant() || are_complements(a, b)) return Bits::boolean(false);
  // x = true is x, x = false is ~x, x = y is ~(x ^ y) for predicates
  if (a.width() == 1) return ~(a ^ b);
  if (auto choice = within_choice(a, b, ptxmc::equal)) return *choice;
  return node(Operator::equal, 1, {a, b});
}

// The two orders differ only in their smallest and greatest values and in their names.
struct Order {
  Operator less;
  Operator less_equal;
  Bits least;
  Bits greatest;

  bool is_signed() const { return less == Operator::less_signed; }
  Bits compare_less(const Bits& a, const Bits& b) const {
    return is_signed() ? ptxmc::less_signed(a, b) : ptxmc::less_unsigned(a, b);
  }
  Bits compare_less_equal(const Bits& a, const Bits& b) const {
    return is_signed() ? ptxmc::less_equal_signed(a, b) : ptxmc::less_equal_unsigned(a, b);
  }
};

Order unsigned_order(unsigned width) {
  return {Operator::less_unsigned, Operator::less_equal_unsigned, zero(width), ones(width)};
}
Order signed_order(unsigned width) {
  const Bits least = ptxmc::shift_left(Bits(width, 1), Bits(32, width - 1));
  return {Operator::less_signed, Operator::less_equal_signed, least, ~least};
}

// Extensions of equally wide values compare as these do, unsigned after zext.
std::optional<Bits> less_of_extensions(const Order& order, const Bits& a, const Bits& b) {
  const bool both_zero = is(a, Operator::zero_extend) && is(b, Operator::zero_extend);
  const bool both_sign = is(a, Operator::sign_extend) && is(b, Operator::sign_extend);
  if ((!both_zero && !both_sign) || operand(a, 0).width() != operand(b, 0).width()) return std::nullopt;
  // zext(x) < zext(y) is x < y (unsigned) in both orders
  if (both_zero) return ptxmc::less_unsigned(operand(a, 0), operand(b, 0));
  // sext(x) < sext(y) is x < y
  return order.compare_less(operand(a, 0), operand(b, 0));
}

// zext(x) < c and c < zext(x) become comparisons of x, unless c is out of its range
std::optional<Bits> less_of_extension(const Order& order, const Bits& a, const Bits& b) {
  const Bits& extension = a.is_constant() ? b : a;
  const Bits& c = a.is_constant() ? a : b;
  if (!c.is_constant() || !is(extension, Operator::zero_extend)) return std::nullopt;
  const Bits x = operand(extension, 0), greatest = ones(x.width()).zero_extend(c.width());
  if (order.compare_less(c, zero(c.width())).is_true()) return Bits::boolean(a.is_constant());
  if (order.compare_less(greatest, c).is_true()) return Bits::boolean(!a.is_constant());
  const Bits part = c.extract(0, x.width());
  return a.is_constant() ? ptxmc::less_unsigned(part, x) : ptxmc::less_unsigned(x, part);
}

// a < b for at least one term. With a constant the forms are x < c and c <= x: complements of each other.
Bits less(const Order& order, const Bits& a, const Bits& b) {
  const Bits one(a.width(), 1);
  // x < x is false, x < least is false, greatest < x is false
  if (identical(a, b) || identical(b, order.least) || identical(a, order.greatest))
    return Bits::boolean(false);
  if (auto simple = less_of_extensions(order, a, b)) return *simple;
  if (auto simple = less_of_extension(order, a, b)) return *simple;
  // x < greatest is ~(x = greatest), x < least + 1 is x = least
  if (identical(b, order.greatest)) return ~ptxmc::equal(a, b);
  if (identical(b, order.least + one)) return ptxmc::equal(a, order.least);
  const auto again = [&](const Bits& x, const Bits& y) { return order.compare_less(x, y); };
  if (auto choice = within_choice(a, b, again)) return *choice;
  // c < x is c + 1 <= x
  if (a.is_constant()) return order.compare_less_equal(a + one, b);
  return node(order.less, 1, {a, b});
}

// a <= b, the complement of b < a
Bits less_equal(const Order& order, const Bits& a, const Bits& b) {
  const Bits one(a.width(), 1);
  // x <= x is true, x <= greatest is true, least <= x is true
  if (identical(a, b) || identical(b, order.greatest) || identical(a, order.least))
    return Bits::boolean(true);
  // x <= c is x < c + 1
  if (b.is_constant()) return order.compare_less(a, b + one);
  // The value of b < a, if it is known without creating a node
  if (identical(a, order.greatest)) return ptxmc::equal(a, b);
  if (identical(a, order.least + one)) return ~ptxmc::equal(b, order.least);
  if (auto simple = less_of_extensions(order, b, a)) return ~*simple;
  if (auto simple = less_of_extension(order, b, a)) return ~*simple;
  const auto again = [&](const Bits& x, const Bits& y) { return order.compare_less_equal(x, y); };
  if (auto choice = within_choice(a, b, again)) return *choice;
  return node(order.less_equal, 1, {a, b});
}

}  // namespace

Bits equal(const Bits& x, const Bits& y) {
  Equation question = simplest(x, y);
  std::vector<Split> splits;
  while (auto part = split(question)) {
    question = simplest(part->rest.left, part->rest.right);
    splits.push_back(*part);
  }
  Bits answer = answer_of(question);
  for (auto part = splits.rbegin(); part != splits.rend(); ++part) {
    const bool is_then = part->then_answer.width() == 0;
    answer = ptxmc::ite(part->condition, is_then ? answer : part->then_answer,
                        is_then ? part->else_answer : answer);
  }
  return answer;
}

Bits less_unsigned(const Bits& a, const Bits& b) { return less(unsigned_order(a.width()), a, b); }
Bits less_equal_unsigned(const Bits& a, const Bits& b) { return less_equal(unsigned_order(a.width()), a, b); }
Bits less_signed(const Bits& a, const Bits& b) { return less(signed_order(a.width()), a, b); }
Bits less_equal_signed(const Bits& a, const Bits& b) { return less_equal(signed_order(a.width()), a, b); }

}  // namespace ptxmc::simplify
