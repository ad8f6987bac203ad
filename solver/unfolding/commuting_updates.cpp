#include "solver/unfolding/commuting_updates.hpp"

#include "model/program/program_order.hpp"
#include "model/relations/base_relations.hpp"

namespace ptxmc {

bool are_strong_together(const Program& program, const Event& a, const Event& b) {
  if (!a.location.is_constant() || !identical(a.location, b.location) || a.size != b.size) return false;
  if (a.access.proxy != b.access.proxy || !identical(a.address, b.address)) return false;
  return are_of_one_agent(a, b) || (scope_includes(program, a, b) && scope_includes(program, b, a));
}

bool commute(const Program& program, const Event& a, const Event& b) {
  return a.combines != Combination::none && a.combines == b.combines && are_strong_together(program, a, b);
}

}  // namespace ptxmc
