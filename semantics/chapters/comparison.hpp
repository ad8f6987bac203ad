#pragma once

#include "semantics/language/form.hpp"

namespace ptxmc {

// Functions that set and setp share: PTX ISA 8.7 § 9.3.1, § 9.7.6, § 9.7.7.

/// The type of the operands that a form compares.
const Type& compared_type(const Form&);

/// Applies the form's comparison operator to numbers of this type, which is not packed.
Bits compare(const Form&, const Type&, const Bits& a, const Bits& b);

/// Combines the result of a comparison with predicate c if the form has a Boolean operator; otherwise returns
/// it.
Bits combine(const Form&, const Bits& t, const Bits& c);

/// The result of set for true or false: 1.0 or 0.0 for a floating-point type, otherwise all ones or all
/// zeros.
Bits truth_value(const Type&, const Bits& t);

}  // namespace ptxmc
