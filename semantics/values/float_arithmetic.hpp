#pragma once

#include <cstdint>
#include <optional>

#include "semantics/values/float_format.hpp"

/// The operations of float_operations.hpp on constants. A number of format f16, bf16, f32 or f64 is held in
/// the low bits of an integer.
namespace ptxmc::float_arithmetic {

std::uint64_t canonical_nan_bits(FloatFormat);

/// The exact value of the number.
double number(FloatFormat, std::uint64_t bits);

std::uint64_t add(FloatFormat, Rounding, std::uint64_t a, std::uint64_t b);
std::uint64_t multiply(FloatFormat, Rounding, std::uint64_t a, std::uint64_t b);
std::uint64_t divide(FloatFormat, Rounding, std::uint64_t a, std::uint64_t b);
std::uint64_t multiply_add(FloatFormat, Rounding, std::uint64_t a, std::uint64_t b, std::uint64_t c);
std::uint64_t square_root(FloatFormat, Rounding, std::uint64_t a);
std::uint64_t round_to_integral(FloatFormat, Rounding, std::uint64_t a);
std::uint64_t convert(FloatFormat to, FloatFormat from, Rounding, std::uint64_t a);
std::uint64_t from_unsigned(FloatFormat to, Rounding, std::uint64_t a);
std::uint64_t from_signed(FloatFormat to, Rounding, std::int64_t a);
/// `width` is at most 64.
std::uint64_t to_unsigned(unsigned width, FloatFormat from, Rounding, std::uint64_t a);
std::int64_t to_signed(unsigned width, FloatFormat from, Rounding, std::uint64_t a);

/// The correctly rounded value, to the nearest.
std::uint64_t approximate(Approximation, FloatFormat, std::uint64_t a, std::uint64_t b);

/// The maximum distance of an approximation from the exact result. If several bounds are given, the largest
/// counts; relative and absolute bounds are exponents of 2.
struct ErrorBound {
  std::optional<double> units_in_last_place = {};
  std::optional<double> log2_relative = {};
  std::optional<double> log2_absolute = {};
};

/// The numbers of the format whose distance from the exact result is within the bound. The exact result must
/// be finite. The interval always contains the correctly rounded number.
struct Interval {
  std::uint64_t low, high;
};
Interval approximation_interval(Approximation, FloatFormat, const ErrorBound&, std::uint64_t a,
                                std::uint64_t b);

}  // namespace ptxmc::float_arithmetic
