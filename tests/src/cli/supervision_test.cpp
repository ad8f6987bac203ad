#include "src/cli/supervision.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "solver/limits/memory_limit.hpp"
#include "solver/limits/time_limit.hpp"

using namespace ptxmc;

namespace {

const Budget no_limit(0, 0);

std::string reason_given_up(const Budget& budget, const std::function<int()>& work) {
  try {
    supervised(budget, work);
  } catch (const OutOfTime& out) {
    return out.what();
  }
  return "ended";
}

}  // namespace

TEST_CASE("supervised work gives its result, and throws what it throws") {
  CHECK(supervised(no_limit, [] { return std::string("done"); }) == "done");
  CHECK(*supervised(Budget(10, 0), [] { return std::make_unique<int>(7); }) == 7);
  CHECK_THROWS_WITH_AS(supervised(no_limit, []() -> int { throw std::runtime_error("wrong"); }), "wrong",
                       std::runtime_error);
  CHECK(reason_given_up(no_limit, []() -> int { throw std::bad_alloc(); }) == "out of memory");
}

TEST_CASE("supervised work has the limits that it can ask for") {
  CHECK(supervised(no_limit, [] { return TimeLimit::seconds_left(); }) == 0);
  const double left = supervised(Budget(100, 0), [] { return TimeLimit::seconds_left(); });
  CHECK(left > 50);
  CHECK(left <= 100);
  // The work may be abandoned before it asks; it goes on.
  const auto is_reached = std::make_shared<std::promise<bool>>();
  (void)reason_given_up(Budget(0, 1), [is_reached] {
    is_reached->set_value(MemoryLimit::is_reached());
    return 0;
  });
  CHECK(is_reached->get_future().get());
  CHECK(reason_given_up(Budget(0.01, 0), [] {
          for (;;) TimeLimit::check();
          return 0;
        }) == "timeout");
}

TEST_CASE("work that never asks for its limits is given up when they are reached") {
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  const auto work = [stop] {
    while (!*stop) std::this_thread::yield();
    return 1;
  };
  CHECK(reason_given_up(Budget(0.01, 0), work) == "timeout");
  CHECK(reason_given_up(Budget(0, 1), work) == "memory limit");
  CHECK(has_work_given_up());
  *stop = true;
}

TEST_CASE("work waits for the memory of work that was given up") {
  const auto may_end = std::make_shared<std::atomic<bool>>(false);
  const auto has_ended = std::make_shared<std::atomic<bool>>(false);
  const auto memory_limit = [&](double seconds) {
    return reason_given_up(Budget(seconds, 1), [may_end, has_ended] {
      while (!*may_end) std::this_thread::yield();
      *has_ended = true;
      return 1;
    });
  };
  CHECK(memory_limit(0) == "memory limit");
  *may_end = true;
  CHECK(supervised(Budget(0, 1), [has_ended] { return has_ended->load(); }));
  *may_end = *has_ended = false;
  CHECK(memory_limit(0) == "memory limit");
  CHECK(memory_limit(0.05) == "memory limit");  // it waits only for a time
  CHECK_FALSE(has_ended->load());
  *may_end = true;
}

TEST_CASE("a budget is counted from its construction on") {
  const Budget budget(100, 5);
  CHECK(budget.memory_bytes() == 5);
  CHECK(budget.begun_before(60).seconds_left() < 40.1);
  CHECK(budget.begun_before(60).seconds_left() > 30);
  CHECK(budget.begun_before(1000).seconds_left() <= 0.001);
  CHECK(budget.begun_before(1000).seconds_left() > 0);  // 0 would be no limit
  CHECK(budget.begun_before(1000, 2).seconds_left() > 1);
  CHECK(no_limit.begun_before(1000).seconds_left() == 0);
}
