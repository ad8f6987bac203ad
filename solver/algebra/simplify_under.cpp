#include "solver/algebra/simplify_under.hpp"

#include <set>
#include <vector>

namespace ptxmc {

namespace {

bool is_inequality(Operator op) {
  return op == Operator::less_unsigned || op == Operator::less_equal_unsigned ||
         op == Operator::less_signed || op == Operator::less_equal_signed;
}

void assume(const Bits& condition, Substitution& known) {
  std::vector<const Term*> waiting;
  std::set<const Term*> met;
  const auto add = [&](const Term* term) {
    if (met.insert(term).second) waiting.push_back(term);
  };
  add(condition.term());
  while (!waiting.empty()) {
    const Term& term = *waiting.back();
    waiting.pop_back();
    if (term.op == Operator::bit_and) {
      add(term.operands[0]);
      add(term.operands[1]);
      continue;
    }
    if (term.op == Operator::constant) continue;
    const Bits itself(&term);
    known.replace(itself, Bits::boolean(true));
    if (is_inequality(term.op)) known.replace(~itself, Bits::boolean(false));  // a < b, which is b <= a
    if (term.op == Operator::bit_not) known.replace(Bits(term.operands[0]), Bits::boolean(false));
    if (term.op != Operator::equal) continue;
    const Bits a(term.operands[0]), b(term.operands[1]);
    if (b.is_constant() && !a.is_constant()) known.replace(a, b);
    if (a.is_constant() && !b.is_constant()) known.replace(b, a);
  }
}

}  // namespace

Bits simplify_under(const Bits& condition, const Bits& value) {
  if (condition.is_constant() || value.is_constant()) return value;
  Substitution known;
  assume(condition, known);
  return known.apply(value);
}

bool exclude_each_other(const Bits& a, const Bits& b) {
  return (a & b).is_false() || simplify_under(a, b).is_false() || simplify_under(b, a).is_false();
}

}  // namespace ptxmc
