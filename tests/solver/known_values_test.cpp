#include "solver/known_values.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("a value is known once all that it needs is, and is forgotten again") {
  TermGraph graph;
  const Bits a = graph.variable(32, "a"), b = graph.variable(32, "b");
  const Bits sum = a + b;
  KnownValues values;
  values.include(sum);
  values.prepare();
  CHECK(values.find(sum) == nullptr);
  values.assign(a.term()->variable, Bits(32, 3));
  CHECK(values.find(sum) == nullptr);
  const auto mark = values.mark();
  values.assign(b.term()->variable, Bits(32, 4));
  REQUIRE(values.find(sum) != nullptr);
  CHECK(values.find(sum)->to_u64() == 7);
  values.undo_to(mark);
  CHECK(values.find(sum) == nullptr);
  CHECK(values.find(a)->to_u64() == 3);
  values.assign(b.term()->variable, Bits(32, 5));
  CHECK(values.find(sum)->to_u64() == 8);
}

TEST_CASE("what a condition does not choose need not be known") {
  TermGraph graph;
  const Bits condition = graph.variable(1, "c"), a = graph.variable(8, "a"), b = graph.variable(8, "b");
  const Bits chosen = ite(condition, a, b);
  KnownValues values;
  values.include(chosen);
  values.prepare();
  values.assign(b.term()->variable, Bits(8, 9));
  CHECK(values.find(chosen) == nullptr);
  values.assign(condition.term()->variable, Bits::boolean(false));
  REQUIRE(values.find(chosen) != nullptr);
  CHECK(values.find(chosen)->to_u64() == 9);
}

TEST_CASE("one false operand decides a conjunction, one true operand a disjunction") {
  TermGraph graph;
  const Bits a = graph.variable(1, "a"), b = graph.variable(1, "b");
  const Bits both = a & b, either = a | b;
  KnownValues values;
  values.include(both);
  values.include(either);
  values.prepare();
  const auto mark = values.mark();
  values.assign(a.term()->variable, Bits::boolean(false));
  CHECK(values.is_false(both));
  CHECK(values.find(either) == nullptr);
  values.undo_to(mark);
  values.assign(a.term()->variable, Bits::boolean(true));
  CHECK(values.is_true(either));
  CHECK(values.find(both) == nullptr);
}
