#pragma once

#include <vector>

#include "semantics/values/bits.hpp"
#include "semantics/values/number_map.hpp"

namespace ptxmc {

/// Calls `visit` with the variables of a term, each once and in no particular order, until it returns false.
/// Returns whether it has always returned true. Terms in `is_seen`, by number, are left out; those that it
/// visits are added.
template <class Visit>
bool all_variables(const Bits& value, const Visit& visit, NumberMap<bool>& is_seen) {
  if (value.is_constant()) return true;
  std::vector<const Term*> open = {value.term()};
  while (!open.empty()) {
    const Term* term = open.back();
    open.pop_back();
    bool& seen = is_seen[term->number];
    if (seen) continue;
    seen = true;
    if (term->op == Operator::variable && !visit(term->variable)) return false;
    for (unsigned i = 0; i < term->arity(); ++i) open.push_back(term->operands[i]);
  }
  return true;
}

/// The same of the whole term.
template <class Visit>
bool all_variables(const Bits& value, const Visit& visit) {
  NumberMap<bool> is_seen;
  return all_variables(value, visit, is_seen);
}

}  // namespace ptxmc
