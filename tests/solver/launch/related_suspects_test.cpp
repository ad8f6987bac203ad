// Which flags of a model are about races.
#include "solver/launch/related_suspects.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("flags about races, and others") {
  CHECK(is_race_flag("data_race"));
  CHECK(is_race_flag("mixed_size_data_race"));
  CHECK_FALSE(is_race_flag("later_than_ptx_6_4"));
  CHECK_FALSE(is_race_flag("undefined_mmio_to_shared"));
}
