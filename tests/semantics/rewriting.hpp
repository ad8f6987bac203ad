#pragma once

#include <doctest/doctest.h>

#include <random>

#include "semantics/values/bits.hpp"

namespace ptxmc::test {

/// The operands of the tested equations: numbers, or unknowns with these names.
struct Values {
  Bits a, b, c;  ///< 4 bits
  Bits w;        ///< 8 bits
  Bits p, q;     ///< 1 bit
};

inline Bits four(u128 value) { return Bits(4, value); }
inline Bits eight(u128 value) { return Bits(8, value); }
inline Bits choice(const Values& v) { return ite(v.p, four(3), four(9)); }

/// Builds a term from unknowns and expects this text, which shows whether an equation was applied; then
/// expects the term to have the value that `compute` gives for numbers.
template <class Compute>
void check_rewriting(Compute compute, const std::string& expected_text) {
  TermGraph graph;
  const auto variable = [&](unsigned width, const char* name) { return graph.variable(width, name); };
  const Values unknowns = {variable(4, "a"), variable(4, "b"), variable(4, "c"),
                           variable(8, "w"), variable(1, "p"), variable(1, "q")};
  const Bits term = compute(unknowns);
  CHECK(to_string(term) == expected_text);

  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const auto number = [&](unsigned width) { return Bits(width, random()); };
    const Values numbers = {number(4), number(4), number(4), number(8), number(1), number(1)};
    Substitution evaluation;
    VariableId variable_id = 0;
    for (const Bits& x : {numbers.a, numbers.b, numbers.c, numbers.w, numbers.p, numbers.q})
      evaluation.set(variable_id++, x);
    CAPTURE(expected_text);
    REQUIRE(identical(evaluation.apply(term), compute(numbers)));
  }
}

}  // namespace ptxmc::test
