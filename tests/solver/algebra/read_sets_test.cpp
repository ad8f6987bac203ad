#include "solver/algebra/read_sets.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("equal sets have one number, however they came about") {
  ReadSets sets;
  const auto one = sets.single(1);
  const auto two = sets.single(2);
  const auto three = sets.single(3);
  CHECK(sets.unite(sets.unite(one, two), three) == sets.unite(one, sets.unite(three, two)));
  CHECK(sets.unite(one, one) == one);
  CHECK(sets.unite(0, two) == two);
  CHECK(sets.unite(two, 0) == two);
  CHECK(sets.unite(sets.unite(one, two), one) == sets.unite(two, one));
  CHECK(sets.elements(sets.unite(three, one)) == std::vector<EventId>{1, 3});
  CHECK(sets.elements(0).empty());
}
