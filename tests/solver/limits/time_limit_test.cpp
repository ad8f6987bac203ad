#include "solver/limits/time_limit.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

using namespace ptxmc;

TEST_CASE("what takes too long ends, as far as the limit lives") {
  CHECK_NOTHROW(TimeLimit::check());
  CHECK(TimeLimit::seconds_left() == 0);
  {
    const TimeLimit limit(0.005, nullptr);
    CHECK(TimeLimit::seconds_left() > 0);
    CHECK(TimeLimit::seconds_left() <= 0.005);
    std::this_thread::sleep_for(std::chrono::milliseconds(6));
    CHECK_THROWS_WITH_AS(TimeLimit::check(), "timeout", OutOfTime);
  }
  CHECK_NOTHROW(TimeLimit::check());
}

TEST_CASE("an interruption ends it too, with or without a limit") {
  std::atomic<bool> interrupted = false;
  const TimeLimit limit(0, &interrupted);
  CHECK_NOTHROW(TimeLimit::check());
  interrupted = true;
  CHECK_THROWS_WITH_AS(TimeLimit::check(), "interrupted", OutOfTime);
}

TEST_CASE("a limit within a limit lasts no longer than that") {
  const TimeLimit outer(0.01, nullptr);
  const TimeLimit longer(100, nullptr), none(0, nullptr);
  CHECK(TimeLimit::seconds_left() <= 0.01);
  const TimeLimit shorter(0.001, nullptr);
  CHECK(TimeLimit::seconds_left() <= 0.001);
}
