#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "semantics/form.hpp"
#include "semantics/instruction_set.hpp"

namespace ptxmc::test {

/// The form computes its results from registers and does nothing else.
inline bool is_scalar_computation(const Form& form, const std::vector<OperandShape>& shapes) {
  return form.definition->rule && form.definition->flow == Flow::next && !form.operands.empty() &&
         form.operands[0].is_destination &&
         std::all_of(shapes.begin(), shapes.end(),
                     [](const OperandShape& s) { return s.kind == OperandShape::Kind::register_; });
}

/// Often an edge: of integers, of amounts and positions, or of floating-point numbers (zeros, ones,
/// infinities, NaN, the smallest and largest numbers of f16, bf16, f32 and f64), also in halves.
inline u128 random_operand(std::mt19937_64& random, unsigned width) {
  static const u128 integers[] = {0, 1, 2, 31, 32, 33, 63, 64, 255, ~u128{0}};
  static const u128 f16[] = {0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x03ff,
                             0x0400, 0x7bff, 0x3f80, 0x7f80, 0x7f7f, 0x0080, 0x807f};
  static const u128 f32[] = {0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 1,
                             0x807fffff, 0x00800000, 0x7f7fffff, 0x3f7fffff, 0x4f000000, 0x3f000000};
  static const u128 f64[] = {
      u128{1} << 63,      0x3ff0000000000000, 0x7ff0000000000000, 0xfff8000000000001, 1,
      0x800fffffffffffff, 0x7fefffffffffffff, 0x41dfffffffc00000, 0x3810000000000000};
  const auto one_of = [&](const auto& values) { return values[random() % std::size(values)]; };
  if (random() % 4 == 0) return one_of(integers);
  if (random() % 3 == 0) return u128{random()} << 64 | random();
  if (random() % 4 == 0) return u128{1} << (width - 1);
  if (width == 64 && random() % 4 != 0) return one_of(f64);
  if (width >= 32 && random() % 2 == 0) return one_of(f32) << 32 | one_of(f32);
  return one_of(f16) << 16 | one_of(f16);
}

}  // namespace ptxmc::test
