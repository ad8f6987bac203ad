#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "semantics/language/instruction.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

/// A register, a memory element or a number, with its value in a final state.
struct FinalTerm {
  enum class Kind { constant, thread_register, memory };
  Kind kind = Kind::constant;
  std::int64_t constant = 0;               ///< with a format: the bits of the number
  int thread = 0;                          ///< thread_register
  RegisterId register_id = 0;              ///< thread_register
  int variable = 0;                        ///< memory: index into Program::memory
  int element = 0;                         ///< memory
  std::optional<FloatFormat> format = {};  ///< the low bits of the value are a floating-point number

  friend bool operator==(const FinalTerm&, const FinalTerm&) = default;
};

/// A condition on a final state: comparisons of 64-bit integers, or of floating-point numbers of one format,
/// under not, and, or. Floating-point numbers are compared as IEEE 754 has it: −0 = +0, and NaN equals no
/// number.
struct Proposition {
  enum class Kind { truth, compare, negation, conjunction, disjunction };
  enum class Comparison { equal, not_equal, less, less_equal, greater, greater_equal };
  Kind kind = Kind::truth;  ///< truth: always true
  Comparison comparison = Comparison::equal;
  FinalTerm left, right;              ///< compare
  std::vector<Proposition> operands;  ///< negation: one; conjunction, disjunction: any number
};

enum class Quantifier { exists, not_exists, forall };

/// The question of a test about its final states.
struct Question {
  Quantifier quantifier = Quantifier::exists;
  Proposition condition;
  Proposition filter;                ///< only final states that satisfy it count
  std::vector<FinalTerm> locations;  ///< shown besides those in the condition
};

}  // namespace ptxmc
