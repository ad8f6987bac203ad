#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/instruction_set.hpp"
#include "semantics/notation.hpp"

namespace ptxmc {

/// Puts written modifiers into the slots of a line. In declared order, or (`free_order`) in any order in
/// which types, layouts and state spaces, which several slots may take, keep the declared one.
std::optional<SlotChoices> match_modifiers(const SyntaxLine&, std::span<const Modifier> written,
                                           bool free_order);

/// How many elements an operand in braces has because it is written with so many, or because data is moved as
/// `.v2`, `.v4`, `.v8`; 0: a single register, or any number.
unsigned vector_elements(const OperandPattern&, const ModifierSet&);

/// How near a line comes that does not match.
struct NearMiss {
  std::size_t matched = 0;                ///< written modifiers that have a slot
  std::optional<std::size_t> stranger;    ///< the first written modifier without one
  const ModifierSlot* missing = nullptr;  ///< the first slot that must be filled and is not
};
NearMiss near_miss(const SyntaxLine&, std::span<const Modifier> written);

/// Which operands of a line are present, given what is written and which modifiers were chosen.
struct OperandMatch {
  std::vector<const OperandPattern*> present;  ///< one for each written operand; empty on error
  std::string error;
  std::size_t operand = std::string::npos;
};
OperandMatch match_operands(const SyntaxLine&, const ModifierSet&, std::span<const OperandShape>);

}  // namespace ptxmc
