#pragma once

#include "semantics/form.hpp"

namespace ptxmc {

// What set and setp have in common: PTX ISA 8.7 § 9.3.1, § 9.7.6, § 9.7.7.

/// The type of the operands that a form compares.
const Type& compared_type(const Form&);

/// The form's comparison operator on numbers of this type, not packed.
Bits compare(const Form&, const Type&, const Bits& a, const Bits& b);

/// Combines a comparison with predicate c, when the form has a Boolean operator.
Bits combine(const Form&, const Bits& t, const Bits& c);

/// What set writes for true or false: 1.0 or 0.0 as floating-point number, else all ones or all zeros.
Bits truth_value(const Type&, const Bits& t);

}  // namespace ptxmc
