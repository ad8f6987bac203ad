#pragma once

#include "semantics/float_arithmetic.hpp"
#include "semantics/float_operations.hpp"

namespace ptxmc {

/// The greatest error that PTX ISA 8.7 § 9.7.3 and § 9.7.4 promise for a function in a format; nothing where
/// it promises nothing. `a` counts for functions whose bound depends on the operand.
float_arithmetic::ErrorBound error_bound(Approximation, FloatFormat, std::uint64_t a);

/// The manual's name of the function: "rcp", "ex2".
std::string_view name_of(Approximation);

/// What is sure of a value that a term of operator float_approximate may have: width 1. Close to the bound
/// where that can be said with exact arithmetic; where it cannot (sine, cosine, logarithm, exponential,
/// hyperbolic tangent) the range of the function.
Bits within_bound(const Term& approximation, const Bits& value);

}  // namespace ptxmc
