#pragma once

#include "semantics/values/float_arithmetic.hpp"
#include "semantics/values/float_operations.hpp"

namespace ptxmc {

/// The maximum error that PTX ISA 8.7 § 9.7.3 and § 9.7.4 state for a function in a format; empty if they
/// state none. The bound of some functions depends on the operand `a`.
float_arithmetic::ErrorBound error_bound(Approximation, FloatFormat, std::uint64_t a);

/// The manual's name of the function: "rcp", "ex2".
std::string_view name_of(Approximation);

/// A condition (width 1) that every value of a term with operator float_approximate satisfies. If exact
/// arithmetic can express the error bound, the condition is close to the bound; otherwise (sine, cosine,
/// logarithm, exponential, hyperbolic tangent) it is the range of the function.
Bits within_bound(const Term& approximation, const Bits& value);

}  // namespace ptxmc
