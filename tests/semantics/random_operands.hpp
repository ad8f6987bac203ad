#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "semantics/language/form.hpp"
#include "semantics/language/instruction_set.hpp"
#include "tests/semantics/run_instruction.hpp"

namespace ptxmc::test {

/// Whether the form only computes results from registers.
inline bool is_scalar_computation(const Form& form, const std::vector<OperandShape>& shapes) {
  return form.definition->rule && form.definition->flow == Flow::next && !form.operands.empty() &&
         form.operands[0].is_destination &&
         std::all_of(shapes.begin(), shapes.end(),
                     [](const OperandShape& s) { return s.kind == OperandShape::Kind::register_; });
}

/// Like is_scalar_computation, but also from vectors and constants.
inline bool is_computation(const Form& form, const std::vector<OperandShape>& shapes) {
  using Kind = OperandShape::Kind;
  return form.definition->rule && form.definition->flow == Flow::next && !form.operands.empty() &&
         form.operands[0].is_destination &&
         std::all_of(shapes.begin(), shapes.end(), [](const OperandShape& s) {
           return s.kind == Kind::register_ || s.kind == Kind::vector || s.kind == Kind::immediate;
         });
}

/// A random number, often an edge value: of integers, of amounts and positions, or of floating-point numbers
/// (zeros, ones, infinities, NaN, the smallest and largest numbers of f16, bf16, f32 and f64), also in
/// halves.
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

/// Values for the sources of a form, in the form that run() expects, and unknowns in their place. Constants
/// of the syntax are constants in both.
struct Sources {
  std::vector<Bits> values, unknowns;
};

inline Sources random_sources(const Form& form, TermGraph& graph, std::mt19937_64& random) {
  Sources sources;
  for (const FormOperand& operand : form.operands) {
    if (operand.is_destination) continue;
    if (!operand.is_hidden && operand.pattern->name == "_") continue;
    const unsigned width = register_width(form, operand);
    if (!operand.is_hidden && operand.pattern->is_constant) {
      const Immediates& allowed = operand.pattern->immediates;
      std::uint64_t value = random() % 256;
      if (!allowed.listed.empty())
        value = static_cast<std::uint64_t>(allowed.listed[random() % allowed.listed.size()]);
      if (allowed.is_range)
        value = static_cast<std::uint64_t>(
            allowed.lowest + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(
                                                                      allowed.highest - allowed.lowest + 1)));
      sources.values.emplace_back(width, value);
      sources.unknowns.push_back(sources.values.back());
      continue;
    }
    for (unsigned i = 0; i < std::max(1U, operand.elements); ++i) {
      sources.values.emplace_back(width, random_operand(random, width));
      sources.unknowns.push_back(graph.variable(width, "x"));
    }
  }
  return sources;
}

}  // namespace ptxmc::test
