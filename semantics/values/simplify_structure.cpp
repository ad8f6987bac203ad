#include <algorithm>

#include "semantics/values/simplify_pattern.hpp"

namespace ptxmc::simplify {

namespace {

using Shift = Bits (*)(const Bits&, const Bits&);

// The rest of the three shifts: the amount is not a constant, or the value is one.
Bits shift_by_term(Operator op, Shift again, const Bits& a, const Bits& amount) {
  // 0 << y = 0
  if (is_constant_zero(a)) return a;
  // x << zext(y) = x << y
  if (is(amount, Operator::zero_extend)) return again(a, operand(amount, 0));
  if (auto choice = within_choice(a, amount, again)) return *choice;
  return node(op, a.width(), {a, amount});
}

// high ++ low, where high is not a concatenation, as a simpler term if there is one.
std::optional<Bits> fuse(const Bits& high, const Bits& low) {
  if (high.is_constant() && low.is_constant()) return ptxmc::concat(high, low);
  const unsigned width = high.width() + low.width();
  // 0 ++ x = zext(x)
  if (is_constant_zero(high)) return low.zero_extend(width);
  // zext(x) ++ y = zext(x ++ y)
  if (is(high, Operator::zero_extend)) return ptxmc::concat(operand(high, 0), low).zero_extend(width);
  // sext(t) ++ y = sext(y) when t is the top bit of y
  if (is(high, Operator::sign_extend) && operand(high, 0).width() == 1 && !low.is_constant() &&
      identical(operand(high, 0), low.bit(low.width() - 1)))
    return low.sign_extend(width);
  // sext(x) ++ y = sext(x ++ y)
  if (is(high, Operator::sign_extend)) return ptxmc::concat(operand(high, 0), low).sign_extend(width);
  // x[h:m+1] ++ x[m:l] = x[h:l]
  if (is(high, Operator::extract) && is(low, Operator::extract) &&
      identical(operand(high, 0), operand(low, 0)) && high.term()->low == low.term()->low + low.width())
    return operand(low, 0).extract(low.term()->low, width);
  return std::nullopt;
}

// Bits [low, low + width) of high ++ low_part.
Bits extract_of_concat(const Bits& x, unsigned low, unsigned width) {
  const Bits upper = operand(x, 0), lower = operand(x, 1);
  if (low >= lower.width()) return upper.extract(low - lower.width(), width);
  if (low + width <= lower.width()) return lower.extract(low, width);
  return ptxmc::concat(upper.extract(0, low + width - lower.width()),
                       lower.extract(low, lower.width() - low));
}

// zext(x)[low + width - 1 : low]: zeros, a part of x, or an extension of its upper part
Bits extract_of_zero_extension(const Bits& x, unsigned low, unsigned width) {
  const Bits inner = operand(x, 0);
  if (low >= inner.width()) return zero(width);
  if (low + width <= inner.width()) return inner.extract(low, width);
  return inner.extract(low, inner.width() - low).zero_extend(width);
}

// sext(x)[low + width - 1 : low]: copies of the sign, a part of x, or an extension of its upper part
Bits extract_of_sign_extension(const Bits& x, unsigned low, unsigned width) {
  const Bits inner = operand(x, 0);
  const unsigned from = std::min(low, inner.width() - 1);
  if (low + width <= inner.width()) return inner.extract(low, width);
  return inner.extract(from, inner.width() - from).sign_extend(width);
}

// (ext(x) * ext(y))[n-1:0] = x * y for x, y of at most n bits
std::optional<Bits> low_half_of_product(const Bits& product, unsigned width) {
  if (!is(product, Operator::multiply)) return std::nullopt;
  const Bits a = operand(product, 0), b = operand(product, 1);
  const auto is_extended = [&](const Bits& x) {
    return (is(x, Operator::zero_extend) || is(x, Operator::sign_extend)) && operand(x, 0).width() <= width;
  };
  if (!is_extended(a) || !(b.is_constant() || is_extended(b))) return std::nullopt;
  return a.extract(0, width) * b.extract(0, width);
}

// The c[h:l] of x & c or x | c.
std::optional<Bits> mask_over(const Bits& x, unsigned low, unsigned width) {
  if (!has_constant(x, Operator::bit_and) && !has_constant(x, Operator::bit_or)) return std::nullopt;
  return operand(x, 1).extract(low, width);
}

// (x & c)[h:l] = x[h:l] when c[h:l] is ones, (x | c)[h:l] = x[h:l] when it is 0: x, seen through such masks.
Bits below_masks(Bits x, unsigned low, unsigned width) {
  while (const auto mask = mask_over(x, low, width)) {
    if (!identical(*mask, is(x, Operator::bit_and) ? ones(width) : zero(width))) break;
    x = operand(x, 0);
  }
  return x;
}

}  // namespace

Bits shift_left(const Bits& a, const Bits& amount) {
  if (!amount.is_constant()) return shift_by_term(Operator::shift_left, ptxmc::shift_left, a, amount);
  if (is_constant_zero(amount)) return a;
  if (amount.value() >= a.width()) return zero(a.width());
  // x << c = x[width-1-c:0] ++ 0
  const unsigned places = static_cast<unsigned>(amount.value());
  return ptxmc::concat(a.extract(0, a.width() - places), zero(places));
}

Bits shift_right_unsigned(const Bits& a, const Bits& amount) {
  if (!amount.is_constant())
    return shift_by_term(Operator::shift_right_unsigned, ptxmc::shift_right_unsigned, a, amount);
  if (amount.value() >= a.width()) return zero(a.width());
  // x >> c = zext(x[width-1:c])
  const unsigned places = static_cast<unsigned>(amount.value());
  return a.extract(places, a.width() - places).zero_extend(a.width());
}

Bits shift_right_signed(const Bits& a, const Bits& amount) {
  // ones >> y = ones
  if (is_ones(a)) return a;
  if (!amount.is_constant())
    return shift_by_term(Operator::shift_right_signed, ptxmc::shift_right_signed, a, amount);
  // x >> c = sext(x[width-1:c]); the sign alone for c >= width
  const unsigned places = amount.value() < a.width() ? static_cast<unsigned>(amount.value()) : a.width() - 1;
  return a.extract(places, a.width() - places).sign_extend(a.width());
}

Bits concat(const Bits& high, const Bits& low) {
  const unsigned width = high.width() + low.width();
  check(width <= Bits::max_width, "a concatenation of more than 128 bits");
  // (p ++ q) ++ low = p ++ (q ++ low)
  if (is(high, Operator::concat))
    return ptxmc::concat(operand(high, 0), ptxmc::concat(operand(high, 1), low));
  if (auto whole = fuse(high, low)) return *whole;
  // high ++ (p ++ q) = (high ++ p) ++ q where high ++ p is one value
  if (is(low, Operator::concat))
    if (auto part = fuse(high, operand(low, 0))) return ptxmc::concat(*part, operand(low, 1));
  if (auto choice = within_choice(high, low, ptxmc::concat)) return *choice;
  return node(Operator::concat, width, {high, low});
}

Bits extract(const Bits& a, unsigned low, unsigned width) {
  switch (a.term()->op) {
    case Operator::extract:
      // x[..:l1][h:l2] = x[h+l1:l2+l1]
      return operand(a, 0).extract(low + a.term()->low, width);
    case Operator::concat:
      return extract_of_concat(a, low, width);
    case Operator::zero_extend:
      return extract_of_zero_extension(a, low, width);
    case Operator::sign_extend:
      return extract_of_sign_extension(a, low, width);
    default:
      break;
  }
  if (const Bits x = below_masks(a, low, width); !identical(x, a)) return x.extract(low, width);
  // (x & c)[h:l] = 0 when c[h:l] is 0, (x | c)[h:l] = ones when it is ones
  if (const auto mask = mask_over(a, low, width))
    if (identical(*mask, is(a, Operator::bit_and) ? zero(width) : ones(width))) return *mask;
  // (x + c)[h:0] = c[h:0] when x[h:0] = 0; this decides alignment
  if (low == 0 && has_constant(a, Operator::add) && trailing_zeros(operand(a, 0)) >= width)
    return operand(a, 1).extract(0, width);
  if (low == 0)
    if (auto product = low_half_of_product(a, width)) return *product;
  // floor(x * c / 2^k) = x / d
  if (const auto quotient = unsigned_quotient_in(a, low)) return quotient->extract(0, width);
  if (auto choice = within_choice(a, [&](const Bits& x) { return x.extract(low, width); })) return *choice;
  return node(Operator::extract, width, {a}, low);
}

Bits zero_extend(const Bits& a, unsigned width) {
  // zext(zext(x)) = zext(x)
  if (is(a, Operator::zero_extend)) return operand(a, 0).zero_extend(width);
  // zext((x / c)[h:0]) = x / c when that is below 2^(h+1)
  if (is(a, Operator::extract) && a.term()->low == 0 && is_quotient_below(operand(a, 0), a.width()))
    return operand(a, 0).resize_unsigned(width);
  if (auto choice = within_choice(a, [&](const Bits& x) { return x.zero_extend(width); })) return *choice;
  return node(Operator::zero_extend, width, {a});
}

Bits sign_extend(const Bits& a, unsigned width) {
  // sext(sext(x)) = sext(x)
  if (is(a, Operator::sign_extend)) return operand(a, 0).sign_extend(width);
  // sext(zext(x)) = zext(x)
  if (is(a, Operator::zero_extend)) return operand(a, 0).zero_extend(width);
  if (auto choice = within_choice(a, [&](const Bits& x) { return x.sign_extend(width); })) return *choice;
  return node(Operator::sign_extend, width, {a});
}

}  // namespace ptxmc::simplify
