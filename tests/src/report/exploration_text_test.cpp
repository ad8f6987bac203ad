#include "src/report/exploration_text.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("how far the explorer is") {
  CHECK(exploration_text({1000, 0, 0.1}) == "about 1e+03 executions");
  CHECK(exploration_text({1000, 250, 5}) == "250 of about 1e+03 executions, 50/s, 15 s left");
  CHECK(exploration_text({100, 250, 5}) == "250 of about 100 executions, 50/s");
  CHECK(exploration_text({}) == "the solver searches");
}
