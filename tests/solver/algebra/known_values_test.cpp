#include "solver/algebra/known_values.hpp"

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

TEST_CASE("what is supposed is learned of the conditions that were named, and of nothing else") {
  TermGraph graph;
  const Bits ticket = graph.variable(8, "ticket"), turn = graph.variable(8, "turn");
  const Bits waits = ~equal(ticket, turn), next = turn + Bits(8, 1);
  KnownValues values;
  values.include(waits);
  values.include(next);
  values.prepare();
  const auto dependents = values.dependents(turn.term()->variable, std::vector{waits});
  values.assign(ticket.term()->variable, Bits(8, 2));
  for (const unsigned shown : {1U, 2U}) {
    const auto mark = values.mark();
    values.suppose(turn.term()->variable, Bits(8, shown), dependents);
    REQUIRE(values.find(waits) != nullptr);
    CHECK(values.find(waits)->is_true() == (shown != 2));
    CHECK(values.find(next) == nullptr);
    values.undo_to(mark);
    CHECK(values.find(waits) == nullptr);
  }
}
