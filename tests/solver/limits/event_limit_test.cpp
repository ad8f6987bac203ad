#include "solver/limits/event_limit.hpp"

#include <doctest/doctest.h>

#include "solver/limits/memory_limit.hpp"

using namespace ptxmc;

TEST_CASE("the wanted number of events, or as many as memory has room for") {
  CHECK(most_unfolded_events(7) == 7);
  CHECK(most_unfolded_events(0) > 10'000);  // the memory of this machine
  {
    const MemoryLimit limit(1'600'000'000);
    CHECK(most_unfolded_events(0) == 97'656);
    CHECK(most_unfolded_events(7) == 7);
  }
  CHECK(most_related_events(7, 0) == 7);
  CHECK(most_related_events(7, 1'000'000) == 7);
  CHECK(most_related_events(0, 0) == 5'000);
  CHECK(most_related_events(0, 1'000'000'000) == 2'500);
  CHECK(TooManyEvents(2'500, {}).what() == std::string("events: 2500"));
}

TEST_CASE("a search is given up at twice the events of dense relations, or at the wanted number") {
  CHECK(most_searched_events(0, 4'000'000'000) == 2 * most_related_events(0, 4'000'000'000));
  CHECK(most_searched_events(700, 4'000'000'000) == 700);
}
