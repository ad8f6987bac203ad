#pragma once

#include <vector>

#include "semantics/values/bits.hpp"
#include "semantics/values/number_map.hpp"

namespace ptxmc {

/// Calls `visit` with each subterm of a value, from the top down, each once. Where it returns false, the
/// operands of the term are left out. Terms in `is_seen`, by number, are left out; those that it visits are
/// added.
template <class Visit>
void visit_subterms(const Bits& value, NumberMap<bool>& is_seen, const Visit& visit) {
  if (value.is_constant()) return;
  std::vector<const Term*> open = {value.term()};
  while (!open.empty()) {
    const Term& term = *open.back();
    open.pop_back();
    bool& seen = is_seen[term.number];
    if (seen) continue;
    seen = true;
    if (!visit(term)) continue;
    for (unsigned i = 0; i < term.arity(); ++i) open.push_back(term.operands[i]);
  }
}

/// The same without earlier visits.
template <class Visit>
void visit_subterms(const Bits& value, const Visit& visit) {
  NumberMap<bool> is_seen;
  visit_subterms(value, is_seen, visit);
}

/// Calls `visit` with the variables of a term, each once and in no particular order, until it returns false.
/// Returns whether it has always returned true. Terms in `is_seen`, by number, are left out; those that it
/// visits are added.
template <class Visit>
bool all_variables(const Bits& value, const Visit& visit, NumberMap<bool>& is_seen) {
  bool all = true;
  visit_subterms(value, is_seen, [&](const Term& term) {
    if (all && term.op == Operator::variable) all = visit(term.variable);
    return all;
  });
  return all;
}

/// The same of the whole term.
template <class Visit>
bool all_variables(const Bits& value, const Visit& visit) {
  NumberMap<bool> is_seen;
  return all_variables(value, visit, is_seen);
}

}  // namespace ptxmc
