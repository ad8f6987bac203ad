#include "solver/algebra/provenance.hpp"

#include <doctest/doctest.h>

#include "solver/algebra/simplify_under.hpp"

using namespace ptxmc;

TEST_CASE("an address has the origins that it was made from") {
  TermGraph graph;
  const Bits i = graph.variable(32, "i"), c = graph.variable(1, "c"), read = graph.variable(64, "read");
  const Bits offset = i.sign_extend(64) * Bits(64, 4);
  using Origins = std::vector<Origin>;
  CHECK(origins_of(Bits(64, 0x1000)) == Origins{{0x1000, false}});
  CHECK(origins_of(Bits(64, 0x1000) + offset) == Origins{{0x1000, true}});
  CHECK(origins_of(read + Bits(64, 8)) == Origins{{8, true}});
  const auto choice = origins_of(ite(c, Bits(64, 0x1000), Bits(64, 0)) + offset);
  REQUIRE(choice.has_value());
  CHECK(choice->size() == 2);
}

TEST_CASE("origins of terms a million deep") {
  TermGraph graph;
  const Bits read = graph.variable(64, "read");
  Bits sum(64, 0x1000), choice(64, 0x1000);
  for (unsigned i = 0; i < 1'000'000; ++i) {
    sum = (sum ^ read) + Bits(64, 1);
    choice = ite(equal(read, Bits(64, i)), choice + Bits(64, 0), choice & read);
  }
  CHECK(origins_of(sum) == std::vector<Origin>{{1, true}});
  CHECK(origins_of(choice).has_value());
}

TEST_CASE("a value is simpler where a condition is known to hold") {
  TermGraph graph;
  const Bits x = graph.variable(32, "x"), c = graph.variable(1, "c");
  const Bits is_three = equal(x, Bits(32, 3));
  CHECK(simplify_under(is_three & c, equal(x, Bits(32, 4))).is_false());
  CHECK(simplify_under(is_three & c, c & is_three).is_true());
  CHECK(simplify_under(~c & is_three, c).is_false());
  CHECK_FALSE(simplify_under(c | is_three, c).is_constant());
}
