#include "semantics/values/bits.hpp"

#include "semantics/values/simplify_pattern.hpp"

// Operations on constants that are too rare to be inline in semantics/values/bits_inline.hpp.
namespace ptxmc {

namespace {

bool is_negative(const Bits& x) { return x.to_s128() < 0; }
Bits magnitude(const Bits& x) { return is_negative(x) ? -x : x; }

}  // namespace

Bits divide_unsigned(const Bits& a, const Bits& b) {
  if (!are_constants(a, b)) return simplify::divide_unsigned(a, b);
  return b.value() == 0 ? simplify::ones(a.width()) : Bits(a.width(), a.value() / b.value());
}

Bits remainder_unsigned(const Bits& a, const Bits& b) {
  if (!are_constants(a, b)) return simplify::remainder_unsigned(a, b);
  return b.value() == 0 ? a : Bits(a.width(), a.value() % b.value());
}

// Divides magnitudes, as in SMT-LIB's definition, so that min / -1 wraps around and does not overflow.
Bits divide_signed(const Bits& a, const Bits& b) {
  if (!are_constants(a, b)) return simplify::divide_signed(a, b);
  const Bits quotient = divide_unsigned(magnitude(a), magnitude(b));
  return is_negative(a) != is_negative(b) ? -quotient : quotient;
}

Bits remainder_signed(const Bits& a, const Bits& b) {
  if (!are_constants(a, b)) return simplify::remainder_signed(a, b);
  const Bits remainder = remainder_unsigned(magnitude(a), magnitude(b));
  return is_negative(a) ? -remainder : remainder;
}

}  // namespace ptxmc
