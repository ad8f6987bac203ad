#include "src/compiler/strength_lattice.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

/// 0 < 1, 2 < 3: none, acquire, release, acq_rel.
LevelOrder diamond() {
  return LevelOrder(4, [](std::size_t a, std::size_t b) { return (a & ~b) == 0; });
}

using Levels = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("neighbours in a partial order") {
  const LevelOrder order = diamond();
  CHECK(order.size() == 4);
  CHECK_FALSE(order.is_weaker_or_equal(1, 2));
  CHECK_FALSE(order.is_weaker_or_equal(2, 1));
  CHECK(order.is_weaker_or_equal(0, 2));
  CHECK(order.just_below(3) == Levels{1, 2});
  CHECK(order.just_below(1) == Levels{0});
  CHECK(order.just_below(0).empty());
  CHECK(order.just_above(0) == Levels{1, 2});
  CHECK(order.just_above(2) == Levels{3});
  CHECK(order.just_above(3).empty());
}

TEST_CASE("the strongest levels that exclude one") {
  const LevelOrder order = diamond();
  CHECK(order.below_without(3, 1) == Levels{2});
  CHECK(order.below_without(3, 3) == Levels{1, 2});
  CHECK(order.below_without(1, 2) == Levels{1});
  CHECK(order.below_without(3, 0).empty());  // no level is not at least the weakest one
}

TEST_CASE("assignments are compared annotation by annotation") {
  const StrengthLattice lattice = {diamond(), diamond()};
  CHECK(weakest(lattice) == Assignment{0, 0});
  CHECK(strongest(lattice) == Assignment{3, 3});
  CHECK(is_weaker_or_equal(lattice, {1, 0}, {1, 2}));
  CHECK_FALSE(is_weaker_or_equal(lattice, {1, 0}, {2, 3}));
}
