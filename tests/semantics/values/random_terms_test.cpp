// A term that is evaluated is the number that the same operations compute from numbers.
#include "tests/semantics/random_terms.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

void check_random_computation(unsigned seed, std::initializer_list<unsigned> widths, int operations) {
  TermGraph graph;
  test::RandomTerms random(graph, seed);
  for (unsigned width : widths) random.add_variable(width);
  Substitution values = random.evaluation();
  for (int i = 0; i < operations; ++i) {
    const test::Twin result = random.add_operation();
    const Bits value = values.apply(result.term);
    CAPTURE(seed);
    CAPTURE(i);
    CAPTURE(to_string(result.term));
    REQUIRE(value.width() == result.number.width());
    REQUIRE(value.is_constant());
    REQUIRE(to_string(value) == to_string(result.number));
  }
}

}  // namespace

TEST_CASE("evaluated terms equal what numbers compute: narrow values") {
  for (unsigned seed = 0; seed < 1500; ++seed) check_random_computation(seed, {1, 1, 2, 2, 3}, 40);
}

TEST_CASE("evaluated terms equal what numbers compute: predicates") {
  for (unsigned seed = 0; seed < 1000; ++seed) check_random_computation(seed, {1, 1, 1, 1}, 60);
}

TEST_CASE("evaluated terms equal what numbers compute: registers") {
  for (unsigned seed = 0; seed < 1000; ++seed)
    check_random_computation(seed, {1, 8, 16, 32, 32, 64, 64, 128}, 60);
}

TEST_CASE("evaluated terms equal what numbers compute: odd widths") {
  for (unsigned seed = 0; seed < 500; ++seed) check_random_computation(seed, {5, 5, 65, 127, 128}, 40);
}
