#include "semantics/values/values.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("values are kept in order, however many there are") {
  for (const std::uint64_t count : {0u, 1u, 8u, 9u, 128u}) {
    ptxmc::Values values;
    for (std::uint64_t i = 0; i < count; ++i) values.push_back(Bits(32, i));
    const ptxmc::Values copy = values;
    ptxmc::Values assigned(Bits(8, 1));
    assigned = copy;
    for (const ptxmc::Values* each : std::initializer_list<const ptxmc::Values*>{&values, &copy, &assigned}) {
      CHECK(each->size() == count);
      std::uint64_t next = 0;
      for (const Bits& value : *each) CHECK(value.to_u64() == next++);
      CHECK(next == count);
    }
  }
  CHECK(ptxmc::Values::pending().is_pending());
}
