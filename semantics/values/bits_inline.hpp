#pragma once

// The end of semantics/values/bits.hpp: operations on constants. `ptxmc run` executes millions of
// instructions a second through these functions, so they are inline. Operations on terms are in
// semantics/values/simplify.hpp.

namespace ptxmc {

inline Bits::Bits(unsigned width, u128 value) : width_(static_cast<std::uint16_t>(width)) {
  check(width - 1 < max_width, "a width is 1 to 128 bits");
  const u128 reduced = value & (~u128{0} >> (max_width - width));
  low_ = static_cast<std::uint64_t>(reduced);
  high_ = static_cast<std::uint64_t>(reduced >> 64);
}

inline Bits::Bits(const Term* term)
    : term_(term->op == Operator::constant ? nullptr : term), width_(term->width) {
  if (term_ == nullptr) *this = Bits(term->width, term->value);
}

inline u128 Bits::value() const {
  check(is_constant() && width_ != 0, "the value of a term is not known");
  return u128{high_} << 64 | low_;
}

inline std::uint64_t Bits::to_u64() const {
  check(is_constant() && width_ != 0, "the value of a term is not known");
  return low_;
}

inline s128 Bits::to_s128() const {
  const u128 constant = value();
  const unsigned unused = max_width - width_;
  return static_cast<s128>(constant << unused) >> unused;
}

inline std::int64_t Bits::to_s64() const {
  check(width_ <= 64, "more than 64 bits in a 64-bit integer");
  return static_cast<std::int64_t>(to_s128());
}

inline Bits Bits::extract(unsigned low, unsigned width) const {
  check(low < width_ && width <= width_ - low, "extract reaches beyond the value");
  if (width == width_) return *this;
  if (is_constant()) return Bits(width, value() >> low);
  return simplify::extract(*this, low, width);
}

inline Bits Bits::zero_extend(unsigned width) const {
  check(width >= width_, "an extension does not shorten");
  if (width == width_) return *this;
  if (is_constant()) return Bits(width, value());
  return simplify::zero_extend(*this, width);
}

inline Bits Bits::sign_extend(unsigned width) const {
  check(width >= width_, "an extension does not shorten");
  if (width == width_) return *this;
  if (is_constant()) return Bits(width, static_cast<u128>(to_s128()));
  return simplify::sign_extend(*this, width);
}

inline Bits Bits::resize_unsigned(unsigned width) const {
  return width < width_ ? extract(0, width) : zero_extend(width);
}

inline Bits Bits::resize_signed(unsigned width) const {
  return width < width_ ? extract(0, width) : sign_extend(width);
}

/// Whether both operands are constants. They must have the same width.
inline bool are_constants(const Bits& a, const Bits& b) {
  check(a.width() == b.width(), "operands differ in width");
  return a.is_constant() && b.is_constant();
}

inline Bits operator+(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits(a.width(), a.value() + b.value());
  return simplify::add(a, b);
}

inline Bits operator-(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits(a.width(), a.value() - b.value());
  return simplify::subtract(a, b);
}

inline Bits operator*(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits(a.width(), a.value() * b.value());
  return simplify::multiply(a, b);
}

inline Bits operator-(const Bits& a) {
  if (a.is_constant()) return Bits(a.width(), -a.value());
  return simplify::negate(a);
}

inline Bits operator&(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits(a.width(), a.value() & b.value());
  return simplify::bit_and(a, b);
}

inline Bits operator|(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits(a.width(), a.value() | b.value());
  return simplify::bit_or(a, b);
}

inline Bits operator^(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits(a.width(), a.value() ^ b.value());
  return simplify::bit_xor(a, b);
}

inline Bits operator~(const Bits& a) {
  if (a.is_constant()) return Bits(a.width(), ~a.value());
  return simplify::bit_not(a);
}

inline Bits implies(const Bits& a, const Bits& b) { return ~a | b; }

inline Bits shift_left(const Bits& a, const Bits& amount) {
  if (!a.is_constant() || !amount.is_constant()) return simplify::shift_left(a, amount);
  return Bits(a.width(), amount.value() < a.width() ? a.value() << amount.to_u64() : 0);
}

inline Bits shift_right_unsigned(const Bits& a, const Bits& amount) {
  if (!a.is_constant() || !amount.is_constant()) return simplify::shift_right_unsigned(a, amount);
  return Bits(a.width(), amount.value() < a.width() ? a.value() >> amount.to_u64() : 0);
}

inline Bits shift_right_signed(const Bits& a, const Bits& amount) {
  if (!a.is_constant() || !amount.is_constant()) return simplify::shift_right_signed(a, amount);
  const std::uint64_t places = amount.value() < a.width() ? amount.to_u64() : a.width() - 1;
  return Bits(a.width(), static_cast<u128>(a.to_s128() >> places));
}

inline Bits concat(const Bits& high, const Bits& low) {
  if (!high.is_constant() || !low.is_constant()) return simplify::concat(high, low);
  return Bits(high.width() + low.width(), high.value() << low.width() | low.value());
}

inline Bits equal(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits::boolean(a.value() == b.value());
  return simplify::equal(a, b);
}

inline Bits less_unsigned(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits::boolean(a.value() < b.value());
  return simplify::less_unsigned(a, b);
}

inline Bits less_equal_unsigned(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits::boolean(a.value() <= b.value());
  return simplify::less_equal_unsigned(a, b);
}

inline Bits less_signed(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits::boolean(a.to_s128() < b.to_s128());
  return simplify::less_signed(a, b);
}

inline Bits less_equal_signed(const Bits& a, const Bits& b) {
  if (are_constants(a, b)) return Bits::boolean(a.to_s128() <= b.to_s128());
  return simplify::less_equal_signed(a, b);
}

inline Bits ite(const Bits& condition, const Bits& then_value, const Bits& else_value) {
  check(condition.width() == 1, "a condition has one bit");
  check(then_value.width() == else_value.width(), "the values of a choice differ in width");
  if (condition.is_constant()) return condition.is_true() ? then_value : else_value;
  return simplify::ite(condition, then_value, else_value);
}

}  // namespace ptxmc
