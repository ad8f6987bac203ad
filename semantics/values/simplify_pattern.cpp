#include "semantics/values/simplify_pattern.hpp"

namespace ptxmc::simplify {

namespace {

// (a < b) and (b <= a)
bool is_less_and_reverse(const Bits& a, const Bits& b, Operator less, Operator less_equal) {
  return is(a, less) && is(b, less_equal) && identical(operand(a, 0), operand(b, 1)) &&
         identical(operand(a, 1), operand(b, 0));
}

bool is_complement_of(const Bits& a, const Bits& b) {
  return (is(a, Operator::bit_not) && identical(operand(a, 0), b)) ||
         is_less_and_reverse(a, b, Operator::less_unsigned, Operator::less_equal_unsigned) ||
         is_less_and_reverse(a, b, Operator::less_signed, Operator::less_equal_signed);
}

// x | zext(y), where the bits of y meet zeros of x only
std::optional<Bits> insert_below(const Bits& x, const Bits& extension) {
  if (!is(extension, Operator::zero_extend)) return std::nullopt;
  const unsigned free = trailing_zeros(x), used = operand(extension, 0).width();
  if (used > free || free == x.width()) return std::nullopt;
  return ptxmc::concat(x.extract(free, x.width() - free), extension.extract(0, free));
}

}  // namespace

bool are_complements(const Bits& a, const Bits& b) {
  return is_complement_of(a, b) || is_complement_of(b, a);
}

Bits node(Operator op, unsigned width, std::initializer_list<Bits> operands, unsigned low) {
  check(width - 1 < Bits::max_width, "a width is 1 to 128 bits");
  return node({.op = op, .width = static_cast<std::uint16_t>(width), .low = static_cast<std::uint16_t>(low)},
              operands);
}

Bits node(Term content, std::initializer_list<Bits> operands) {
  TermGraph* graph = nullptr;
  for (const Bits& x : operands)
    if (!x.is_constant()) graph = x.term()->graph;
  check(graph != nullptr, "a node needs an operand that is a term");
  const Term** place = content.operands;
  for (const Bits& x : operands)
    *place++ = !x.is_constant() ? x.term()
                                : graph->intern({.op = Operator::constant,
                                                 .width = static_cast<std::uint16_t>(x.width()),
                                                 .value = x.value()});
  return Bits(graph->intern(content));
}

unsigned trailing_zeros(const Bits& term) {
  Bits x = term;
  while (is(x, Operator::concat) || is(x, Operator::zero_extend) || is(x, Operator::sign_extend))
    x = operand(x, is(x, Operator::concat) ? 1 : 0);
  unsigned count = 0;
  if (x.is_constant())
    while (count < x.width() && x.bit(count).is_false()) ++count;
  return count;
}

std::optional<Bits> join_disjoint(const Bits& a, const Bits& b) {
  if (auto whole = insert_below(a, b)) return whole;
  return insert_below(b, a);
}

std::pair<Bits, Bits> ordered(const Bits& a, const Bits& b) {
  const bool swap = a.is_constant() || (!b.is_constant() && b.term()->number < a.term()->number);
  return swap ? std::pair(b, a) : std::pair(a, b);
}

}  // namespace ptxmc::simplify
