#include "semantics/values/float_operations.hpp"

#include "semantics/values/float_arithmetic.hpp"
#include "semantics/values/simplify_pattern.hpp"

namespace ptxmc {

namespace {

using simplify::node;

std::uint16_t width_of(FloatFormat format) { return static_cast<std::uint16_t>(layout_of(format).width); }

void check_operand(FloatFormat format, const Bits& x) {
  check(format <= FloatFormat::f64 && x.width() == layout_of(format).width,
        "a floating-point operand of another format");
}

using Binary = std::uint64_t (*)(FloatFormat, Rounding, std::uint64_t, std::uint64_t);

Bits binary(Operator op, Binary compute, FloatFormat format, Rounding rounding, const Bits& a,
            const Bits& b) {
  check_operand(format, a);
  check_operand(format, b);
  if (a.is_constant() && b.is_constant())
    return Bits(a.width(), compute(format, rounding, a.to_u64(), b.to_u64()));
  return node({.op = op, .format = format, .rounding = rounding, .width = width_of(format)}, {a, b});
}

using Unary = std::uint64_t (*)(FloatFormat, Rounding, std::uint64_t);

Bits unary(Operator op, Unary compute, FloatFormat format, Rounding rounding, const Bits& a) {
  check_operand(format, a);
  if (a.is_constant()) return Bits(a.width(), compute(format, rounding, a.to_u64()));
  return node({.op = op, .format = format, .rounding = rounding, .width = width_of(format)}, {a});
}

}  // namespace

Bits canonical_nan(FloatFormat format) {
  return Bits(layout_of(format).width, float_arithmetic::canonical_nan_bits(format));
}

Bits float_add(FloatFormat format, Rounding rounding, const Bits& a, const Bits& b) {
  return binary(Operator::float_add, float_arithmetic::add, format, rounding, a, b);
}

Bits float_multiply(FloatFormat format, Rounding rounding, const Bits& a, const Bits& b) {
  return binary(Operator::float_multiply, float_arithmetic::multiply, format, rounding, a, b);
}

Bits float_divide(FloatFormat format, Rounding rounding, const Bits& a, const Bits& b) {
  return binary(Operator::float_divide, float_arithmetic::divide, format, rounding, a, b);
}

Bits float_multiply_add(FloatFormat format, Rounding rounding, const Bits& a, const Bits& b, const Bits& c) {
  for (const Bits* x : {&a, &b, &c}) check_operand(format, *x);
  if (a.is_constant() && b.is_constant() && c.is_constant())
    return Bits(a.width(),
                float_arithmetic::multiply_add(format, rounding, a.to_u64(), b.to_u64(), c.to_u64()));
  return node(
      {.op = Operator::float_multiply_add, .format = format, .rounding = rounding, .width = width_of(format)},
      {a, b, c});
}

Bits float_square_root(FloatFormat format, Rounding rounding, const Bits& a) {
  return unary(Operator::float_square_root, float_arithmetic::square_root, format, rounding, a);
}

Bits float_round_to_integral(FloatFormat format, Rounding rounding, const Bits& a) {
  return unary(Operator::float_round_to_integral, float_arithmetic::round_to_integral, format, rounding, a);
}

Bits float_convert(FloatFormat to, FloatFormat from, Rounding rounding, const Bits& a) {
  check_operand(from, a);
  if (a.is_constant()) return Bits(width_of(to), float_arithmetic::convert(to, from, rounding, a.to_u64()));
  return node({.op = Operator::float_convert,
               .format = to,
               .from = from,
               .rounding = rounding,
               .width = width_of(to)},
              {a});
}

Bits float_from_unsigned(FloatFormat to, Rounding rounding, const Bits& a) {
  if (a.is_constant()) return Bits(width_of(to), float_arithmetic::from_unsigned(to, rounding, a.to_u64()));
  return node(
      {.op = Operator::float_from_unsigned, .format = to, .rounding = rounding, .width = width_of(to)}, {a});
}

Bits float_from_signed(FloatFormat to, Rounding rounding, const Bits& a) {
  if (a.is_constant()) return Bits(width_of(to), float_arithmetic::from_signed(to, rounding, a.to_s64()));
  return node({.op = Operator::float_from_signed, .format = to, .rounding = rounding, .width = width_of(to)},
              {a});
}

Bits float_to_unsigned(unsigned width, FloatFormat from, Rounding rounding, const Bits& a) {
  check_operand(from, a);
  if (a.is_constant()) return Bits(width, float_arithmetic::to_unsigned(width, from, rounding, a.to_u64()));
  return node({.op = Operator::float_to_unsigned,
               .format = from,
               .rounding = rounding,
               .width = static_cast<std::uint16_t>(width)},
              {a});
}

Bits float_to_signed(unsigned width, FloatFormat from, Rounding rounding, const Bits& a) {
  check_operand(from, a);
  if (a.is_constant()) {
    const std::int64_t value = float_arithmetic::to_signed(width, from, rounding, a.to_u64());
    return Bits(width, static_cast<u128>(value));
  }
  return node({.op = Operator::float_to_signed,
               .format = from,
               .rounding = rounding,
               .width = static_cast<std::uint16_t>(width)},
              {a});
}

Bits float_approximate(Approximation function, FloatFormat format, const Bits& a, const Bits& b) {
  check_operand(format, a);
  const Bits& second = b.width() == 0 ? a : b;
  if (a.is_constant() && second.is_constant())
    return Bits(width_of(format),
                float_arithmetic::approximate(function, format, a.to_u64(), second.to_u64()));
  const Term content = {.op = Operator::float_approximate,
                        .format = format,
                        .width = width_of(format),
                        .low = static_cast<std::uint16_t>(function)};
  return b.width() == 0 ? node(content, {a}) : node(content, {a, b});
}

}  // namespace ptxmc
