#include "semantics/chapters/matrix_arithmetic.hpp"

#include <cmath>

#include "semantics/values/arithmetic.hpp"
#include "semantics/values/float_operations.hpp"
#include "semantics/values/float_value.hpp"

namespace ptxmc {

namespace {

/// PTX ISA 6.4 § 9.7.13.8, .satfinite: NaN is a positive zero.
Bits finite(FloatFormat format, const Bits& number) {
  return ite(is_nan(format, number), Bits(number.width(), 0), clamp_infinity(format, number));
}

}  // namespace

Bits SparseChunks::add_indices(const Bits& bits, std::vector<Bits>& indices) const {
  const Bits first = bits.extract(0, 2), second = bits.extract(2, 2);
  if (columns == 2) {  // 0b0100 or 0b1110: the first or the second column
    indices.push_back(first.extract(1, 1).zero_extend(2));
    return ~equal(bits, Bits(4, 0b0100)) & ~equal(bits, Bits(4, 0b1110));
  }
  for (unsigned i = 0; i < unit; ++i) indices.push_back(first);
  for (unsigned i = 0; i < unit; ++i) indices.push_back(second);
  return is_ordered ? less_equal_unsigned(second, first) : equal(first, second);
}

std::vector<Bits> SparseChunks::selected(std::span<const Bits> indices, std::span<const Bits> column) const {
  const std::size_t stored = columns / 2;  // of a chunk
  std::vector<Bits> numbers;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::size_t first = i / stored * columns + i % unit;
    Bits number = column[first];
    for (unsigned next = 1; next < columns / unit; ++next)
      number = ite(equal(indices[i], Bits(2, next)), column[first + next * unit], number);
    numbers.push_back(number);
  }
  return numbers;
}

Bits MatrixArithmetic::number(const Type& type, const Bits& item) const {
  // § 9.7.14.5.14: without .satfinite sums wrap around; with it they are exact before they are clamped.
  const unsigned integer_width = saturates ? 64 : 32;
  if (type.is_integer())
    return type.is_signed() ? item.resize_signed(integer_width) : item.resize_unsigned(integer_width);
  if (!type.format) return item;
  const unsigned width = layout_of(*type.format).width;
  const bool is_padded = width == 4 && item.width() == 8;
  return widen_to_f64(*type.format, width == item.width() ? item : item.extract(is_padded ? 2 : 0, width));
}

Bits MatrixArithmetic::sum(const Bits& c, std::span<const Bits> a, std::span<const Bits> b) const {
  Bits result = c;
  switch (kind) {
    case Kind::floats:
      result = sum_of_products(floats, c, a, b);
      return saturates ? finite(floats.format, result) : result;
    case Kind::doubles:
      for (std::size_t i = 0; i < a.size(); ++i)
        result = float_multiply_add(FloatFormat::f64, rounding, a[i], b[i], result);
      return sum_in_any_order({.format = FloatFormat::f64}, result, c, a, b);
    case Kind::integers:
      for (std::size_t i = 0; i < a.size(); ++i) result = result + a[i] * b[i];
      return saturates ? saturate_signed(result, 32) : result;
    case Kind::bits:
      for (std::size_t i = 0; i < a.size(); ++i)
        result = result + population_count(is_xor ? a[i] ^ b[i] : a[i] & b[i]);
      return saturates ? saturate_signed(result, 32) : result;
  }
  return result;
}

SumOfProducts floats_of(const Type& factor, const Type& c, const Type& d) {
  const auto least_normal = [](const Type& type) {
    return type.width < 16 ? 0.0 : std::ldexp(1.0, 1 - layout_of(*type.format).bias());
  };
  return {.format = *d.format, .least_factor = least_normal(factor), .least_addend = least_normal(c)};
}

Bits negated_number(const Bits& number) { return number ^ Bits(64, std::uint64_t{1} << 63); }

}  // namespace ptxmc
