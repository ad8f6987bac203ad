#include <doctest/doctest.h>

#include <stdexcept>

#include "semantics/values/bits.hpp"

using namespace ptxmc;

TEST_CASE("terms with the same content are the same node") {
  TermGraph graph;
  const Bits x = graph.variable(32, "x"), y = graph.variable(32, "y");
  CHECK((x * y).term() == (x * y).term());
  CHECK((x * y).term() == (y * x).term());
  CHECK((x * Bits(32, 3)).term() == (Bits(32, 3) * x).term());
  CHECK((x * Bits(32, 3)).term() != (x * Bits(32, 5)).term());
  CHECK((x - y).term() != (y - x).term());
  CHECK(x.extract(0, 8).term() != x.extract(1, 8).term());
  CHECK(x.zero_extend(33).term() != x.zero_extend(34).term());
  const std::size_t size = graph.size();
  CHECK(identical(ite(equal(x, y), x + y, x * y), ite(equal(x, y), x + y, x * y)));
  CHECK(graph.size() == size + 3);  // ==, + and ite: * was there
}

TEST_CASE("terms are numbered densely, operands before their users") {
  TermGraph graph;
  Bits x = graph.variable(16, "x");
  const Bits y = graph.variable(16, "y");
  std::vector<const Term*> made = {x.term(), y.term()};
  for (unsigned i = 0; i < 10'000; ++i) {
    x = (x ^ y) * Bits(16, 3);
    made.push_back(x.term());
  }
  for (const Term* term : made) {
    CHECK(term->number < graph.size());
    CHECK(term->graph == &graph);
    for (unsigned i = 0; i < term->arity(); ++i) CHECK(term->operands[i]->number < term->number);
    CHECK(graph.intern(*term) == term);
  }
}

TEST_CASE("variables are new each time, whatever their names") {
  TermGraph graph;
  const Bits first = graph.variable(8, "x"), second = graph.variable(16, "x");
  CHECK_FALSE(identical(first, second));
  CHECK(graph.variable_count() == 2);
  CHECK(graph.variable_name(1) == "x");
  CHECK(graph.variable_width(0) == 8);
  CHECK(graph.variable_width(1) == 16);
  CHECK(graph.is_first_of_name(0));
  CHECK_FALSE(graph.is_first_of_name(1));
}

TEST_CASE("a term of a constant is the constant") {
  TermGraph graph;
  const Term* five = graph.intern({.op = Operator::constant, .width = 8, .value = 5});
  CHECK(Bits(five).is_constant());
  CHECK(identical(Bits(five), Bits(8, 5)));
}

TEST_CASE("terms of two graphs do not mix") {
  TermGraph one, two;
  const Bits x = one.variable(8, "x"), y = two.variable(8, "y");
  CHECK_THROWS_AS(x + y, std::logic_error);
  CHECK_THROWS_AS(ite(x.bit(0), y, y + y), std::logic_error);
}

TEST_CASE("arity") {
  TermGraph graph;
  const Bits x = graph.variable(8, "x"), p = graph.variable(1, "p");
  CHECK(x.term()->arity() == 0);
  CHECK((~x).term()->arity() == 1);
  CHECK(x.extract(0, 1).term()->arity() == 1);
  CHECK(concat(x, p).term()->arity() == 2);
  CHECK(ite(p, x, ~x).term()->arity() == 3);
}

TEST_CASE("the variables of a term, in increasing order") {
  TermGraph graph;
  const Bits a = graph.variable(8, "a"), b = graph.variable(8, "b"), c = graph.variable(8, "c");
  CHECK(variables_of(Bits(8, 3)).empty());
  CHECK(variables_of(b) == std::vector<VariableId>{1});
  CHECK(variables_of((c * a) ^ (a + c)) == std::vector<VariableId>{0, 2});
  CHECK(variables_of(a * b - b * a).empty());
}

TEST_CASE("the variables of a term 100,000 deep") {
  TermGraph graph;
  const Bits y = graph.variable(32, "y");
  Bits x = graph.variable(32, "x");
  for (int i = 0; i < 100'000; ++i) x = (x ^ y) * y;
  CHECK(variables_of(x) == std::vector<VariableId>{0, 1});
}
