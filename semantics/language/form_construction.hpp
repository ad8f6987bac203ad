#pragma once

#include <span>

#include "semantics/language/form.hpp"
#include "semantics/language/matching.hpp"

namespace ptxmc {

/// The modifiers that fill the slots of a line.
ModifierSet modifiers_of(const SyntaxLine&, const SlotChoices&);

/// Whether a filter selects this choice of modifiers and operands.
bool selects(const FormFilter&, const SyntaxLine&, const ModifierSet&,
             std::span<const OperandPattern* const> present);

/// Makes a form, with everything that rules and checks need computed in advance.
Form make_form(const Declaration&, const SyntaxLine&, const SlotChoices&, const ModifierSet&,
               std::span<const OperandPattern* const> present, std::span<const OperandShape>);

}  // namespace ptxmc
