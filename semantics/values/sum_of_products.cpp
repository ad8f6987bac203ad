#include "semantics/values/sum_of_products.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "semantics/values/check.hpp"
#include "semantics/values/float_operations.hpp"
#include "semantics/values/float_rounding.hpp"

namespace ptxmc {

namespace {

Bits to_f64(FloatFormat from, const Bits& a) {
  return float_convert(FloatFormat::f64, from, Rounding::nearest_even, a);
}

Bits widen_small(FloatFormat from, const Bits& a) {
  if (from == FloatFormat::ue8m0) return to_f64(FloatFormat::bf16, widen_scale_to_bf16(a));
  return to_f64(FloatFormat::f16, widen_to_f16(from, a));
}

using SmallNumbers = std::array<Bits, 256>;

SmallNumbers all_numbers(FloatFormat format) {
  SmallNumbers numbers;
  const unsigned width = layout_of(format).width;
  for (unsigned bits = 0; bits < 1u << width; ++bits) numbers[bits] = widen_small(format, Bits(width, bits));
  return numbers;
}

/// A number of a format of at most 8 bits: matrices have many.
const Bits& small_number(FloatFormat format, const Bits& a) {
  static const SmallNumbers e4m3 = all_numbers(FloatFormat::e4m3), e5m2 = all_numbers(FloatFormat::e5m2),
                            e2m3 = all_numbers(FloatFormat::e2m3), e3m2 = all_numbers(FloatFormat::e3m2),
                            e2m1 = all_numbers(FloatFormat::e2m1), ue8m0 = all_numbers(FloatFormat::ue8m0);
  switch (format) {
    case FloatFormat::e4m3:
      return e4m3[a.to_u64()];
    case FloatFormat::e5m2:
      return e5m2[a.to_u64()];
    case FloatFormat::e2m3:
      return e2m3[a.to_u64()];
    case FloatFormat::e3m2:
      return e3m2[a.to_u64()];
    case FloatFormat::e2m1:
      return e2m1[a.to_u64()];
    case FloatFormat::ue8m0:
      return ue8m0[a.to_u64()];
    default:
      fail_check("a format of more than 8 bits");
  }
}

bool are_constant(std::span<const Bits> values) {
  return std::ranges::all_of(values, [](const Bits& value) { return value.is_constant(); });
}

double number(const Bits& a) { return std::bit_cast<double>(a.to_u64()); }

}  // namespace

Bits widen_to_f64(FloatFormat from, const Bits& a) {
  if (layout_of(from).width <= 8) return a.is_constant() ? small_number(from, a) : widen_small(from, a);
  if (from == FloatFormat::tf32) return to_f64(FloatFormat::f32, a & Bits(32, 0xffff'e000));
  return from == FloatFormat::f64 ? a : to_f64(from, a);
}

Bits sum_of_exact_products(const Bits& c, std::span<const Bits> a, std::span<const Bits> b) {
  if (c.is_constant() && are_constant(a) && are_constant(b)) {
    double sum = number(c);
    for (std::size_t i = 0; i < a.size(); ++i) sum += number(a[i]) * number(b[i]);
    return {64, std::bit_cast<std::uint64_t>(sum)};
  }
  Bits sum = c;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum = float_multiply_add(FloatFormat::f64, Rounding::nearest_even, a[i], b[i], sum);
  return sum;
}

}  // namespace ptxmc
