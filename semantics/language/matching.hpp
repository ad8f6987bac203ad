#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/language/notation.hpp"
#include "semantics/language/operand_shape.hpp"

namespace ptxmc {

/// For each slot of a syntax line the index of the choice that fills it, or -1 if it is empty.
using SlotChoices = std::vector<int>;

/// Assigns written modifiers to the slots of a line. They must be in declared order; with `free_order`, only
/// types, layouts and state spaces must, since several slots may accept them.
std::optional<SlotChoices> match_modifiers(const SyntaxLine&, std::span<const Modifier> written,
                                           bool free_order);

/// The number of elements of an operand in braces, given by its syntax or by `.v2`, `.v4`, `.v8`; 0 for a
/// single register or for any number.
unsigned vector_elements(const OperandPattern&, const ModifierSet&);

/// How far a line that does not match agrees with the written modifiers.
struct NearMiss {
  std::size_t matched = 0;                ///< written modifiers that have a slot
  std::optional<std::size_t> stranger;    ///< the first written modifier without a slot
  const ModifierSlot* missing = nullptr;  ///< the first required slot that is empty
};
NearMiss near_miss(const SyntaxLine&, std::span<const Modifier> written);

/// The operands of a line that are present, given the written operands and the chosen modifiers.
struct OperandMatch {
  std::vector<const OperandPattern*> present;  ///< one for each written operand; empty on error
  std::string error;
  std::size_t operand = std::string::npos;
};
OperandMatch match_operands(const SyntaxLine&, const ModifierSet&, std::span<const OperandShape>);

}  // namespace ptxmc
