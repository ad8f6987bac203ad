#pragma once

#include "semantics/values/bits.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

// The error of a sum of products whose order and rounding are unspecified (PTX ISA 8.7 § 9.7.14.5.14). What
// the bound needs of the products is a value of 112 bits: the sum of their magnitudes (f64, rounded upward),
// the magnitudes of those that may count as zero (f32, rounded upward), and the least exponent of a last
// digit of a product (16 bits, biased as in f64).

/// Of no products. A constant.
Bits no_products();

/// Of some products and of a · b, numbers of f64. A factor that is not 0 may count as zero if its magnitude
/// is below `least_factor`, which is 0 or a power of 2. Unknown operands give a single term
/// (float_add_error), since products are many and a solver asks for the error of few.
Bits with_product(const Bits& products, double least_factor, const Bits& a, const Bits& b);

/// Of a term with operator float_add_error: its `least_factor`, and what it stands for in the operators of
/// arithmetic.
double least_factor_of(const Term&);
Bits definition_of_error(const Term&);

/// The bound of |result − exact sum|, a number of f64 that is not negative; infinite: any value. The result
/// has the format. `relative_error`: of all steps together, relative to the sum of the magnitudes.
Bits bound_of_error(FloatFormat, double relative_error, const Bits& products);

/// A number of the format that differs from `sum`, a number of f64, by the bound at most; or the nearest to
/// it. A constant sum gives the nearest; other sums a term with operator float_approximate.
Bits float_sum(FloatFormat, double relative_error, const Bits& sum, const Bits& products);

/// The `relative_error` of a term that float_sum gives.
double relative_error_of(const Term&);

}  // namespace ptxmc
