// How many threads satisfy a condition at most.
#include "solver/threads/thread_limits.hpp"

#include <doctest/doctest.h>

#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// 64 threads in each of two CTAs, and a number n that all of them have in common.
class Limited : public OpenEvents {
 public:
  Limited() : OpenEvents(64, 2), n(graph().variable(32, "n")), own(graph().variable(32, "own")) {
    thread().shared.insert(n.term()->variable);
    index = thread().ctaid[0] * Bits(32, 64) + thread().tid[0];
  }
  /// Whether at most n threads are known to satisfy the condition.
  bool are_limited(const Bits& condition) {
    const Bits most = most_threads_with(questions(), condition);
    CHECK(questions().never(less_unsigned(thread().all_threads, most)));
    return questions().never(less_unsigned(n.zero_extend(64), most));
  }

  const Bits n, own;
  Bits index;
};

}  // namespace

TEST_CASE("threads with different numbers below n are at most n") {
  CHECK(Limited().are_limited(Bits::boolean(true)) == false);
  Limited threads;
  CHECK(threads.are_limited(less_unsigned(threads.index, threads.n)));
  CHECK(threads.are_limited(less_signed(threads.index, threads.n) & threads.graph().variable(1, "also")));
}

TEST_CASE("threads with the same number, or with numbers above n, may be more") {
  Limited threads;
  CHECK_FALSE(threads.are_limited(less_unsigned(threads.thread().tid[0], threads.n)));  // in both CTAs
  CHECK_FALSE(threads.are_limited(less_equal_unsigned(threads.index, threads.n)));
  CHECK_FALSE(threads.are_limited(less_unsigned(threads.n, threads.index)));
  CHECK_FALSE(threads.are_limited(less_unsigned(threads.own, threads.n)));  // a value that is read
  CHECK_FALSE(threads.are_limited(less_unsigned(threads.index, threads.own)));
}
