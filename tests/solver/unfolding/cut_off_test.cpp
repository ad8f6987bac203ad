#include "solver/unfolding/cut_off.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("what was not unfolded is unknown because of the bound, or for the reason that is given") {
  EventStructure structure;
  structure.endings.resize(2);
  const auto add = [&](std::size_t thread, bool may_be, const std::string& message) {
    structure.endings[thread].push_back({Ending::Kind::bound_reached, Bits::boolean(may_be), 0, {}, message});
  };
  CHECK(cut_off_reason(structure, 2) == "loop bound 2");
  add(0, false, "never");
  add(1, true, "a reason");
  CHECK(cut_off_reason(structure, 2) == "a reason");
  add(0, true, "");
  CHECK(cut_off_reason(structure, 3) == "a reason, loop bound 3");
}
