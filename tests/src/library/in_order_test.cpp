#include "src/library/in_order.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace ptxmc;

TEST_CASE("results are used in order, each once, whatever the number of threads") {
  for (const unsigned jobs : {1u, 2u, 7u, 200u}) {
    CAPTURE(jobs);
    std::vector<std::size_t> used;
    in_order(
        100, jobs, [](std::size_t i) { return i * i; },
        [&](std::size_t i, std::size_t result) {
          CHECK(result == i * i);
          used.push_back(i);
        });
    REQUIRE(used.size() == 100);
    for (std::size_t i = 0; i < used.size(); ++i) CHECK(used[i] == i);
  }
}

TEST_CASE("nothing to do is done") {
  in_order(
      0, 3, [](std::size_t) { return 0; }, [](std::size_t, int) { FAIL("there is no result"); });
}

TEST_CASE("an exception comes out where its result would have been used, and stops the rest") {
  std::size_t used = 0;
  const auto run = [&] {
    in_order(
        1000, 3,
        [](std::size_t i) -> int {
          if (i == 10) throw std::runtime_error("ten");
          return 0;
        },
        [&](std::size_t, int) { ++used; });
  };
  CHECK_THROWS_WITH(run(), "ten");
  CHECK(used == 10);
}
