// What the threads of an exchange give each other, and what they compute from it together.
#include <doctest/doctest.h>

#include <vector>

#include "semantics/language/effects.hpp"

using namespace ptxmc;

TEST_CASE("registers are found by the rank of their thread, and a thread that does not come takes no part") {
  ExchangedValues values(3, 2);
  values.add(0, std::vector{Bits(32, 10), Bits(32, 11)});
  values.add(2, std::vector{Bits(32, 20), Bits(32, 21)});
  CHECK(values.threads() == 3);
  CHECK(values.value(0).to_u64() == 10);
  CHECK(values.value(2, 1).to_u64() == 21);
  CHECK(values.takes_part(0).is_true());
  CHECK(values.takes_part(1).is_false());
}

TEST_CASE("what one thread computes for all is there for the next one") {
  ExchangedValues values(2, 1);
  values.own = Bits(32, 0);
  CHECK(values.common<std::vector<int>>().empty());
  values.common<std::vector<int>>().push_back(7);
  values.own = Bits(32, 1);
  CHECK(values.common<std::vector<int>>() == std::vector{7});
}
