#include "solver/algebra/conjuncts.hpp"

#include <algorithm>
#include <vector>

namespace ptxmc {

std::set<const Term*> conjuncts(const Bits& condition) {
  std::set<const Term*> result, met;  // shared subterms are visited once
  std::vector<Bits> open{condition};
  while (!open.empty()) {
    const Bits part = open.back();
    open.pop_back();
    if (part.is_constant() || !met.insert(part.term()).second) continue;
    if (part.term()->op == Operator::bit_and)
      open.insert(open.end(), {Bits(part.term()->operands[0]), Bits(part.term()->operands[1])});
    else
      result.insert(part.term());
  }
  return result;
}

bool certainly_implies(const Bits& condition, const Bits& conclusion) {
  const auto known = conjuncts(condition), asked = conjuncts(conclusion);
  return !conclusion.is_false() && std::ranges::includes(known, asked);
}

}  // namespace ptxmc
