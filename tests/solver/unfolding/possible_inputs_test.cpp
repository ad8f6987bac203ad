#include "solver/unfolding/possible_inputs.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("inputs decide what is made of them alone, and allow what an assumption leaves") {
  TermGraph graph;
  const Bits n = graph.variable(32, "n"), read = graph.variable(32, "read");
  PossibleInputs inputs({n.term()->variable}, less_unsigned(n, Bits(32, 6)), {});
  CHECK(inputs.decide(n + Bits(32, 1)));
  CHECK(inputs.decide(Bits(32, 1)));
  CHECK_FALSE(inputs.decide(n + read));
  CHECK(inputs.allow(equal(n, Bits(32, 5))));
  CHECK_FALSE(inputs.allow(equal(n, Bits(32, 6))));
  CHECK(inputs.allow(equal(n, read)));  // of what is read nothing is known
  CHECK_FALSE(inputs.allow(equal(n, read) & less_unsigned(Bits(32, 9), read)));
}

TEST_CASE("unknowns and facts may be added to inputs") {
  TermGraph graph;
  const Bits n = graph.variable(32, "n"), iteration = graph.variable(32, "iteration");
  PossibleInputs inputs({n.term()->variable}, Bits::boolean(true), {});
  CHECK_FALSE(inputs.decide(n + iteration));
  inputs.add(iteration.term()->variable);
  CHECK(inputs.decide(n + iteration));
  CHECK(inputs.allow(less_unsigned(n, iteration)));
  inputs.assume(less_unsigned(iteration, Bits(32, 4)));
  CHECK_FALSE(inputs.allow(less_unsigned(n, iteration) & equal(n, Bits(32, 3))));
  CHECK(inputs.allow(less_unsigned(n, iteration) & equal(n, Bits(32, 2))));
}
