// Divisions by constants, which compilers write as multiplications (T. Granlund, P. Montgomery, Division by
// invariant integers using multiplication, 1994): a solver can reason about a quotient better than about the
// circuit of such a product.
#include "semantics/values/simplify_pattern.hpp"

namespace ptxmc::simplify {

namespace {

/// factor / 2^shift, which approximates 1 / divisor.
struct Reciprocal {
  u128 factor = 0;
  unsigned shift = 0;
};

/// The only divisor whose reciprocal it can approximate, below 2^width; empty if that is 1 or does not exist.
std::optional<Bits> divisor_of(const Reciprocal& reciprocal, unsigned width) {
  if (reciprocal.factor == 0 || reciprocal.shift >= Bits::max_width) return std::nullopt;
  const u128 whole = u128{1} << reciprocal.shift;
  const u128 divisor = whole / reciprocal.factor + (whole % reciprocal.factor != 0);
  if (divisor <= 1 || divisor >> width != 0) return std::nullopt;
  return Bits(width, divisor);
}

/// factor * divisor - 2^shift.
u128 excess(const Reciprocal& reciprocal, const Bits& divisor) {
  return reciprocal.factor * divisor.value() - (u128{1} << reciprocal.shift);
}

/// x / d if this is floor(x * factor / 2^shift) for all x (theorem 4.2).
std::optional<Bits> unsigned_quotient(const Bits& x, const Reciprocal& reciprocal) {
  const auto divisor = divisor_of(reciprocal, x.width());
  if (!divisor || reciprocal.shift < x.width()) return std::nullopt;
  if (excess(reciprocal, *divisor) > u128{1} << (reciprocal.shift - x.width())) return std::nullopt;
  return ptxmc::divide_unsigned(x, *divisor);
}

/// x / d if this is floor(x * factor / 2^shift), plus one for negative x, for all x (theorem 5.1).
std::optional<Bits> signed_quotient(const Bits& x, const Reciprocal& reciprocal) {
  const auto divisor = divisor_of(reciprocal, x.width() - 1);
  if (!divisor || reciprocal.shift < x.width()) return std::nullopt;
  const u128 more = excess(reciprocal, *divisor);
  if (more == 0 || more > u128{1} << (reciprocal.shift - x.width() + 1)) return std::nullopt;
  return ptxmc::divide_signed(x, divisor->zero_extend(x.width()));
}

/// x and c of a product ext(x) * c of twice the width of x.
struct WideProduct {
  Bits x;
  u128 factor = 0;  ///< unsigned, of the width of x
  bool is_negative = false;
};

std::optional<WideProduct> wide_product(const Bits& product, Operator extension) {
  if (!has_constant(product, Operator::multiply) || !is(operand(product, 0), extension)) return std::nullopt;
  const Bits x = operand(operand(product, 0), 0), factor = operand(product, 1);
  if (product.width() != 2 * x.width()) return std::nullopt;
  const Bits low = factor.extract(0, x.width());
  const bool is_negative = extension == Operator::sign_extend &&
                           identical(low.sign_extend(product.width()), factor) &&
                           low.bit(x.width() - 1).is_true();
  if (!is_negative && !identical(low.zero_extend(product.width()), factor)) return std::nullopt;
  return WideProduct{x, low.value(), is_negative};
}

/// The part of a value from a bit on: (x, low) for x[..:low], with any extension.
struct UpperPart {
  Bits of;
  unsigned low = 0;
};

std::optional<UpperPart> upper_part(const Bits& value) {
  if (!is(value, Operator::extract)) return std::nullopt;
  const Bits of = operand(value, 0);
  if (value.term()->low + value.width() != of.width()) return std::nullopt;
  return UpperPart{of, value.term()->low};
}

/// The high half of ext(x) * c.
std::optional<WideProduct> high_half_of_product(const Bits& value, Operator extension) {
  const auto part = upper_part(value);
  if (!part) return std::nullopt;
  auto product = wide_product(part->of, extension);
  if (!product || part->low != product->x.width()) return std::nullopt;
  return product;
}

/// A value whose upper part is floor(x * factor / 2^width) for a signed x, for a factor that may need one bit
/// more than the width.
struct ScaledValue {
  Bits x;
  Reciprocal reciprocal;
};

std::optional<ScaledValue> signed_scaling(const Bits& value) {
  // (sext(x) * c)[..:n]
  if (const auto product = wide_product(value, Operator::sign_extend); product && !product->is_negative)
    return ScaledValue{product->x, {product->factor, 0}};
  // (sext(x) * (c - 2^n))[..:n] + x
  if (!is(value, Operator::add)) return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    const auto product = high_half_of_product(operand(value, i), Operator::sign_extend);
    if (product && product->is_negative && identical(product->x, operand(value, 1 - i)))
      return ScaledValue{product->x, {product->factor, product->x.width()}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Bits> unsigned_quotient_in(const Bits& value, unsigned low) {
  // (zext(x) * c)[..:k] = x / d
  if (const auto product = wide_product(value, Operator::zero_extend))
    return unsigned_quotient(product->x, {product->factor, low});
  // (((x - t) >> 1) + t)[..:k] = x / d where t = (zext(x) * c)[..:n]: a factor of n + 1 bits
  if (!is(value, Operator::add)) return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    const Bits half = operand(value, i), t = operand(value, 1 - i);
    const auto product = high_half_of_product(t, Operator::zero_extend);
    if (!product || !is(half, Operator::zero_extend)) continue;
    const auto difference = upper_part(operand(half, 0));
    if (!difference || difference->low != 1 || !is(difference->of, Operator::subtract)) continue;
    if (!identical(operand(difference->of, 0), product->x) || !identical(operand(difference->of, 1), t))
      continue;
    const unsigned width = product->x.width();
    return unsigned_quotient(product->x, {(u128{1} << width) + product->factor, width + 1 + low});
  }
  return std::nullopt;
}

std::optional<Bits> signed_quotient_in(const Bits& floor, const Bits& is_negative) {
  if (!is(is_negative, Operator::zero_extend) || operand(is_negative, 0).width() != 1) return std::nullopt;
  const auto sign = upper_part(operand(is_negative, 0));
  const auto part = upper_part(is(floor, Operator::sign_extend) ? operand(floor, 0) : floor);
  if (!sign || !part || !identical(sign->of, part->of)) return std::nullopt;
  const auto scaled = signed_scaling(part->of);
  if (!scaled || scaled->x.width() != floor.width()) return std::nullopt;
  return signed_quotient(scaled->x, {scaled->reciprocal.factor, scaled->reciprocal.shift + part->low});
}

std::optional<Bits> remainder_in(const Bits& x, const Bits& multiple) {
  if (!has_constant(multiple, Operator::multiply)) return std::nullopt;
  const Bits quotient = operand(multiple, 0), divisor = operand(multiple, 1);
  for (const Operator division : {Operator::divide_unsigned, Operator::divide_signed})
    if (is(quotient, division) && identical(operand(quotient, 0), x) &&
        identical(operand(quotient, 1), divisor))
      return division == Operator::divide_unsigned ? ptxmc::remainder_unsigned(x, divisor)
                                                   : ptxmc::remainder_signed(x, divisor);
  return std::nullopt;
}

bool is_quotient_below(const Bits& quotient, unsigned width) {
  if (!has_constant(quotient, Operator::divide_unsigned)) return false;
  const u128 divisor = operand(quotient, 1).value();
  return divisor != 0 && (ones(quotient.width()).value() / divisor) >> width == 0;
}

}  // namespace ptxmc::simplify
