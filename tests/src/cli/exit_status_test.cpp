#include "src/cli/exit_status.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("over many files the gravest stands: 2, then 1, then 3") {
  using enum ExitStatus;
  CHECK(graver(success, success) == success);
  CHECK(graver(success, unknown) == unknown);
  CHECK(graver(unknown, violation) == violation);
  CHECK(graver(violation, unknown) == violation);
  CHECK(graver(wrong_input, violation) == wrong_input);
  CHECK(graver(violation, wrong_input) == wrong_input);
  CHECK(graver(internal_error, wrong_input) == internal_error);
}
