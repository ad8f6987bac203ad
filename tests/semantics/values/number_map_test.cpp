#include "semantics/values/number_map.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace ptxmc;

TEST_CASE("a map from numbers does what std::map does") {
  std::mt19937 random(1);
  NumberMap<int> map;
  std::map<std::uint32_t, int> expected;
  CHECK(map.find(0) == nullptr);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t key = random() % 3 == 0 ? random() : random() % 5000 * 64;
    map[key] += i;
    expected[key] += i;
  }
  CHECK(map.size() == expected.size());
  for (const auto& [key, value] : expected) {
    REQUIRE(map.find(key) != nullptr);
    CHECK(*map.find(key) == value);
    CHECK((map.find(key + 1) != nullptr) == expected.contains(key + 1));
  }
}

TEST_CASE("the ends of the numbers are keys as well") {
  NumberMap<int> map;
  map[0] = 1;
  map[~std::uint32_t{0}] = 2;
  CHECK(*map.find(0) == 1);
  CHECK(*map.find(~std::uint32_t{0}) == 2);
}
