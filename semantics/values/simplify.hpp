#pragma once

namespace ptxmc {
class Bits;
}

/// The operations of semantics/values/bits.hpp for operands of which at least one is a term. They apply
/// equations that make terms smaller, or that make equal terms identical, and then create a node. The
/// operands of a commutative operation are ordered: a constant is on the right, otherwise the older term is
/// on the left.
namespace ptxmc::simplify {

// simplify_logic.cpp
Bits bit_not(const Bits&);
Bits bit_and(const Bits&, const Bits&);
Bits bit_or(const Bits&, const Bits&);
Bits bit_xor(const Bits&, const Bits&);
Bits ite(const Bits& condition, const Bits& then_value, const Bits& else_value);

// simplify_arithmetic.cpp
Bits negate(const Bits&);
Bits add(const Bits&, const Bits&);
Bits subtract(const Bits&, const Bits&);
Bits multiply(const Bits&, const Bits&);
Bits divide_unsigned(const Bits&, const Bits&);
Bits remainder_unsigned(const Bits&, const Bits&);
Bits divide_signed(const Bits&, const Bits&);
Bits remainder_signed(const Bits&, const Bits&);

// simplify_structure.cpp
Bits shift_left(const Bits&, const Bits& amount);
Bits shift_right_unsigned(const Bits&, const Bits& amount);
Bits shift_right_signed(const Bits&, const Bits& amount);
Bits concat(const Bits& high, const Bits& low);
Bits extract(const Bits&, unsigned low, unsigned width);
Bits zero_extend(const Bits&, unsigned width);
Bits sign_extend(const Bits&, unsigned width);

// simplify_comparison.cpp
Bits equal(const Bits&, const Bits&);
Bits less_unsigned(const Bits&, const Bits&);
Bits less_equal_unsigned(const Bits&, const Bits&);
Bits less_signed(const Bits&, const Bits&);
Bits less_equal_signed(const Bits&, const Bits&);

}  // namespace ptxmc::simplify
