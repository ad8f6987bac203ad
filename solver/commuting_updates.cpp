#include "solver/commuting_updates.hpp"

#include <array>
#include <optional>

#include "model/base_relations.hpp"
#include "semantics/form.hpp"

namespace ptxmc {

namespace {

/// What an integer operation does that may be done in any order; none: it is no such operation.
std::optional<Modifier> commuting_operation(const Event& write) {
  if (write.kind != EventKind::write || write.rmw < 0 || write.instruction == nullptr) return std::nullopt;
  const Form& form = *write.instruction->form;
  const bool is_integer = form.type().is_integer() || form.type().kind == Type::Kind::bits;
  if (!is_integer) return std::nullopt;
  for (const Modifier operation : std::array<Modifier, 6>{".add", ".min", ".max", ".and", ".or", ".xor"})
    if (form.has(operation)) return operation;
  return std::nullopt;
}

}  // namespace

bool are_strong_together(const Program& program, const Event& a, const Event& b) {
  if (!a.location.is_constant() || !identical(a.location, b.location) || a.size != b.size) return false;
  if (a.access.proxy != b.access.proxy || !identical(a.address, b.address)) return false;
  return a.thread == b.thread || (scope_includes(program, a, b) && scope_includes(program, b, a));
}

bool commute(const Program& program, const Event& a, const Event& b) {
  const auto operation = commuting_operation(a);
  return operation && operation == commuting_operation(b) &&
         a.instruction->form->type() == b.instruction->form->type() && are_strong_together(program, a, b);
}

}  // namespace ptxmc
