#pragma once

#include "semantics/language/form.hpp"
#include "semantics/values/float_operations.hpp"

namespace ptxmc {

// The rules of `.approx` and `.full` instructions. For special operands they give the result in the manual's
// tables, for others one of the values within the stated error. PTX ISA 8.7 § 9.7.3, § 9.7.4.

Bits approximate_quotient(const Form&, const Bits& a, const Bits& b);
Bits approximate_reciprocal(const Form&, const Bits& a);
Bits approximate_square_root(const Form&, const Bits& a);
Bits approximate_reciprocal_square_root(const Form&, const Bits& a);
Bits approximate_sine(const Form&, const Bits& a);
Bits approximate_cosine(const Form&, const Bits& a);
Bits approximate_logarithm(const Form&, const Bits& a);
Bits approximate_exponential(const Form&, const Bits& a);
Bits approximate_hyperbolic_tangent(const Form&, const Bits& a);

/// § 9.7.3.14, § 9.7.3.17: computes with the upper 32 bits of an .f64 number; the lower 32 bits of the result
/// are 0.
Bits approximate_upper_half(const Form&, Approximation, const Bits& a);

}  // namespace ptxmc
