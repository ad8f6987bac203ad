#pragma once

#include <initializer_list>
#include <optional>
#include <utility>

#include "semantics/values/bits.hpp"

/// Functions that the equations of semantics/values/simplify.hpp use.
namespace ptxmc::simplify {

inline bool is(const Bits& x, Operator op) { return !x.is_constant() && x.term()->op == op; }
inline Bits operand(const Bits& x, unsigned index) { return Bits(x.term()->operands[index]); }

inline Bits zero(unsigned width) { return Bits(width, 0); }
inline Bits ones(unsigned width) { return Bits(width, ~u128{0}); }
inline bool is_number(const Bits& x, u128 number) { return x.is_constant() && x.value() == number; }
inline bool is_constant_zero(const Bits& x) { return is_number(x, 0); }
inline bool is_one(const Bits& x) { return is_number(x, 1); }
inline bool is_ones(const Bits& x) { return x.is_constant() && identical(x, ones(x.width())); }

/// Whether x is `operation` with a constant as its operand on the right.
inline bool has_constant(const Bits& x, Operator operation) {
  return is(x, operation) && operand(x, 1).is_constant();
}

/// Whether a = ~b is known from the form of the terms.
bool are_complements(const Bits& a, const Bits& b);

/// The node for an operation on these operands, of which at least one is a term.
Bits node(Operator op, unsigned width, std::initializer_list<Bits> operands, unsigned low = 0);
/// The same; `content` gives everything except the operands.
Bits node(Term content, std::initializer_list<Bits> operands);

/// The operands of a commutative operation in canonical order: a constant on the right, else the older term
/// on the left.
std::pair<Bits, Bits> ordered(const Bits& a, const Bits& b);

/// The number of lowest bits that are 0 for all values of the unknowns, as far as the structure of the term
/// shows.
unsigned trailing_zeros(const Bits&);

/// If x is u ++ 0 and y fits into the width of that 0, then x | y, x ^ y and x + y all are u ++ y, which is
/// returned; otherwise nothing.
std::optional<Bits> join_disjoint(const Bits&, const Bits&);

/// Whether x is an `ite` of two constants.
inline bool is_choice_of_constants(const Bits& x) {
  return is(x, Operator::ite) && operand(x, 1).is_constant() && operand(x, 2).is_constant();
}

/// f(ite(c, k1, k2)) = ite(c, f(k1), f(k2)) for constants k.
template <class Operation>
std::optional<Bits> within_choice(const Bits& x, Operation f) {
  if (!is_choice_of_constants(x)) return std::nullopt;
  return ptxmc::ite(operand(x, 0), f(operand(x, 1)), f(operand(x, 2)));
}

/// The same for two operands: the other one is a constant, or an `ite` with the same condition.
template <class Operation>
std::optional<Bits> within_choice(const Bits& a, const Bits& b, Operation f) {
  if (b.is_constant()) return within_choice(a, [&](const Bits& x) { return f(x, b); });
  if (a.is_constant()) return within_choice(b, [&](const Bits& x) { return f(a, x); });
  if (!is_choice_of_constants(a) || !is_choice_of_constants(b)) return std::nullopt;
  if (!identical(operand(a, 0), operand(b, 0))) return std::nullopt;
  return ptxmc::ite(operand(a, 0), f(operand(a, 1), operand(b, 1)), f(operand(a, 2), operand(b, 2)));
}

// simplify_division.cpp

/// The quotient x / d that is equal to value[..:low] for all x, if there is one; its upper bits are 0.
std::optional<Bits> unsigned_quotient_in(const Bits& value, unsigned low);

/// The quotient x / d that is equal to floor + is_negative for all x, if there is one.
std::optional<Bits> signed_quotient_in(const Bits& floor, const Bits& is_negative);

/// x % d, which is equal to x - multiple, if the multiple is (x / d) * d.
std::optional<Bits> remainder_in(const Bits& x, const Bits& multiple);

/// Whether the value is a quotient x / d that is below 2^width for all x.
bool is_quotient_below(const Bits& value, unsigned width);

}  // namespace ptxmc::simplify
