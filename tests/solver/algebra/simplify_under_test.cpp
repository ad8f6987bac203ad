#include "solver/algebra/simplify_under.hpp"

#include <doctest/doctest.h>

#include "semantics/values/arithmetic.hpp"

using namespace ptxmc;

TEST_CASE("what holds under a condition") {
  TermGraph graph;
  const Bits x = graph.variable(32, "x"), y = graph.variable(32, "y"), p = graph.variable(1, "p");
  const Bits three(32, 3);
  CHECK(identical(simplify_under(equal(x, three) & p, x + y), three + y));
  CHECK(simplify_under(p & less_unsigned(x, y), p).is_true());
  CHECK(simplify_under(~p & less_unsigned(x, y), p).is_false());
  CHECK(identical(simplify_under(p, less_unsigned(x, y)), less_unsigned(x, y)));
}

// The negation of a < b is the term b <= a.
TEST_CASE("inequalities exclude their negations") {
  TermGraph graph;
  const Bits x = graph.variable(32, "x"), p = graph.variable(1, "p");
  const Bits zero(32, 0), seven(32, 7);
  CHECK(exclude_each_other(p & less_signed(x, zero), p & less_equal_signed(zero, x)));
  CHECK(exclude_each_other(less_equal_unsigned(x, seven), p & less_unsigned(seven, x)));
  CHECK(!exclude_each_other(less_signed(x, seven), less_equal_signed(zero, x)));
  CHECK(!exclude_each_other(p, less_unsigned(x, seven)));
}
