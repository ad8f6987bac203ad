#include "semantics/simplify_pattern.hpp"

namespace ptxmc::simplify {

namespace {

// x = base + offset
struct Sum {
  Bits base;
  Bits offset;  // a constant
};

Sum as_sum(const Bits& x) {
  if (has_constant(x, Operator::add)) return {operand(x, 0), operand(x, 1)};
  return {x, zero(x.width())};
}

std::optional<Bits> equal_sums(const Sum& p, const Sum& q) {
  // x + c1 = x + c2 is c1 = c2
  if (identical(p.base, q.base)) return ptxmc::equal(p.offset, q.offset);
  // x + c1 = y + c2 is x + (c1 - c2) = y, with the older base on the left
  if (p.base.term()->number > q.base.term()->number) return equal_sums(q, p);
  if (!is_zero(q.offset)) return ptxmc::equal(p.base + (p.offset - q.offset), q.base);
  return std::nullopt;
}

// zext(x) = c or sext(x) = c
Bits equal_extension(const Bits& extension, const Bits& c) {
  const Bits x = operand(extension, 0), part = c.extract(0, x.width());
  const Bits back =
      is(extension, Operator::zero_extend) ? part.zero_extend(c.width()) : part.sign_extend(c.width());
  return identical(back, c) ? ptxmc::equal(x, part) : Bits::boolean(false);
}

// ite(p, k, x) = c is ite(p, k = c, x = c) for constants k: what is chosen need not be computed to be
// compared. The same for ite(p, x, k), and for x in turn; chains can be long: no recursion.
std::optional<Bits> equal_chain(const Bits& chain, const Bits& c) {
  std::vector<Bits> links;
  const auto has_constant_branch = [](const Bits& x) {
    return is(x, Operator::ite) && (operand(x, 1).is_constant() || operand(x, 2).is_constant());
  };
  Bits rest = chain;
  for (; has_constant_branch(rest); rest = operand(rest, operand(rest, 1).is_constant() ? 2 : 1))
    links.push_back(rest);
  if (links.empty()) return std::nullopt;
  Bits result = ptxmc::equal(rest, c);
  for (auto link = links.rbegin(); link != links.rend(); ++link)
    result = operand(*link, 1).is_constant()
                 ? ptxmc::ite(operand(*link, 0), ptxmc::equal(operand(*link, 1), c), result)
                 : ptxmc::ite(operand(*link, 0), result, ptxmc::equal(operand(*link, 2), c));
  return result;
}

// x = c for a term x and a constant c
std::optional<Bits> equal_constant(const Bits& x, const Bits& c) {
  // x = true is x, x = false is ~x
  if (x.width() == 1) return c.is_true() ? x : ~x;
  switch (x.term()->op) {
    case Operator::add:
      // x + c1 = c2 is x = c2 - c1
      if (has_constant(x, Operator::add)) return ptxmc::equal(operand(x, 0), c - operand(x, 1));
      break;
    case Operator::bit_xor:
      // x ^ c1 = c2 is x = c1 ^ c2
      if (has_constant(x, Operator::bit_xor)) return ptxmc::equal(operand(x, 0), operand(x, 1) ^ c);
      break;
    case Operator::subtract:
      // c1 - x = c2 is x = c1 - c2; x - y = 0 is x = y
      if (operand(x, 0).is_constant()) return ptxmc::equal(operand(x, 1), operand(x, 0) - c);
      if (is_zero(c)) return ptxmc::equal(operand(x, 0), operand(x, 1));
      break;
    case Operator::negate:
      // -x = c is x = -c
      return ptxmc::equal(operand(x, 0), -c);
    case Operator::bit_not:
      // ~x = c is x = ~c
      return ptxmc::equal(operand(x, 0), ~c);
    case Operator::zero_extend:
    case Operator::sign_extend:
      return equal_extension(x, c);
    case Operator::concat: {
      // p ++ q = c is p = (upper part of c) & q = (lower part of c)
      const Bits p = operand(x, 0), q = operand(x, 1);
      const Bits upper = ptxmc::equal(p, c.extract(q.width(), p.width()));
      const Bits lower = ptxmc::equal(q, c.extract(0, q.width()));
      return upper & lower;
    }
    case Operator::ite:
      return equal_chain(x, c);
    default:
      break;
  }
  return std::nullopt;
}

// a = b for two terms
std::optional<Bits> equal_terms(const Bits& a, const Bits& b) {
  // x = y is ~(x ^ y) for predicates
  if (a.width() == 1) return ~(a ^ b);
  // x = ~x is false
  if (are_complements(a, b)) return Bits::boolean(false);
  if (auto simple = equal_sums(as_sum(a), as_sum(b))) return simple;
  const bool extensions = (is(a, Operator::zero_extend) && is(b, Operator::zero_extend)) ||
                          (is(a, Operator::sign_extend) && is(b, Operator::sign_extend));
  // zext(x) = zext(y) is x = y, the same for sext
  if (extensions && operand(a, 0).width() == operand(b, 0).width())
    return ptxmc::equal(operand(a, 0), operand(b, 0));
  // ~x = ~y is x = y
  if (is(a, Operator::bit_not) && is(b, Operator::bit_not)) return ptxmc::equal(operand(a, 0), operand(b, 0));
  return within_choice(a, b, ptxmc::equal);
}

// The two orders differ in their ends and names only.
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

// zext(x) < c and c < zext(x): about x itself, unless c is out of its reach
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
  // What can be said about b < a without a node for it
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
  const auto [a, b] = ordered(x, y);
  // x = x
  if (identical(a, b)) return Bits::boolean(true);
  if (auto simple = b.is_constant() ? equal_constant(a, b) : equal_terms(a, b)) return *simple;
  return node(Operator::equal, 1, {a, b});
}

Bits less_unsigned(const Bits& a, const Bits& b) { return less(unsigned_order(a.width()), a, b); }
Bits less_equal_unsigned(const Bits& a, const Bits& b) { return less_equal(unsigned_order(a.width()), a, b); }
Bits less_signed(const Bits& a, const Bits& b) { return less(signed_order(a.width()), a, b); }
Bits less_equal_signed(const Bits& a, const Bits& b) { return less_equal(signed_order(a.width()), a, b); }

}  // namespace ptxmc::simplify
