#pragma once

#include <cstddef>
#include <cstdint>

namespace ptxmc {

/// The bit layout of a floating-point number: PTX ISA 8.7 § 5.2.3. The sign is above the exponent, and the
/// exponent above the fraction.
enum class FloatFormat : std::uint8_t {
  f16,
  bf16,
  f32,
  f64,
  tf32,  ///< in the upper 19 of 32 bits
  e4m3,
  e5m2,
  e2m3,
  e3m2,
  e2m1,
  ue8m0,  ///< an exponent without sign and fraction
};

/// The meaning of numbers with the highest exponent.
enum class FloatSpecials : std::uint8_t {
  ieee,         ///< infinity with fraction 0, NaN with any other
  last_is_nan,  ///< NaN when all bits are ones, otherwise a number; no infinity
  only_finite,  ///< a number
};

struct FloatLayout {
  unsigned width;     ///< of the whole, unused bits at the bottom included
  unsigned exponent;  ///< bits of the exponent
  unsigned fraction;  ///< bits of the fraction
  unsigned padding;   ///< unused bits below the fraction
  bool is_signed;
  FloatSpecials specials;

  constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
  constexpr unsigned precision() const { return fraction + 1; }
};

/// By FloatFormat.
inline constexpr FloatLayout float_layouts[] = {
    {16, 5, 10, 0, true, FloatSpecials::ieee},        // f16
    {16, 8, 7, 0, true, FloatSpecials::ieee},         // bf16
    {32, 8, 23, 0, true, FloatSpecials::ieee},        // f32
    {64, 11, 52, 0, true, FloatSpecials::ieee},       // f64
    {32, 8, 10, 13, true, FloatSpecials::ieee},       // tf32
    {8, 4, 3, 0, true, FloatSpecials::last_is_nan},   // e4m3
    {8, 5, 2, 0, true, FloatSpecials::ieee},          // e5m2
    {6, 2, 3, 0, true, FloatSpecials::only_finite},   // e2m3
    {6, 3, 2, 0, true, FloatSpecials::only_finite},   // e3m2
    {4, 2, 1, 0, true, FloatSpecials::only_finite},   // e2m1
    {8, 8, 0, 0, false, FloatSpecials::last_is_nan},  // ue8m0
};

constexpr const FloatLayout& layout_of(FloatFormat format) {
  return float_layouts[static_cast<std::size_t>(format)];
}

/// PTX ISA 8.7 § 6.5.2. `.rs` is not in this list: it adds random bits and truncates.
enum class Rounding : std::uint8_t {
  nearest_even,  ///< .rn, .rni
  nearest_away,  ///< .rna
  toward_zero,   ///< .rz, .rzi
  downward,      ///< .rm, .rmi
  upward,        ///< .rp, .rpi
};

/// Functions for which the manual only promises an approximation.
enum class Approximation : std::uint8_t {
  reciprocal,
  divide,  ///< a / b
  square_root,
  reciprocal_square_root,
  sine,
  cosine,
  logarithm_2,
  exponential_2,
  hyperbolic_tangent,
  sum,  ///< of products in any order (sum_error.hpp)
};

}  // namespace ptxmc
