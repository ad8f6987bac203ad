// Whether the threads of a CTA pass the same barriers.
#include "solver/threads/uniform_barriers.hpp"

#include <doctest/doctest.h>

#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Two warps that pass a barrier.
struct WarpsAtBarrier : OpenEvents {
  WarpsAtBarrier() : OpenEvents(64) { barrier(); }
  bool are_uniform() {
    std::vector<OpenCandidate> candidates;
    OpenSuspects suspects(questions(), candidates);
    return are_meetings_uniform(questions(), suspects);
  }
  Bits is_first_warp() { return less_unsigned(thread().tid[0], Bits(32, 32)); }
  /// Iterations with a barrier were skipped before it.
  void skip(const Bits& is_reached, const Bits& goes_on) {
    thread().skipped.push_back({1, 1, 2, Bits::boolean(true), is_reached, goes_on});
  }
};

}  // namespace

TEST_CASE("a barrier that all threads pass is uniform, and one that half of them pass if the others end") {
  WarpsAtBarrier all;
  CHECK(all.are_uniform());
  WarpsAtBarrier half;
  half.events().front().condition = half.is_first_warp();
  CHECK(half.are_uniform());
  WarpsAtBarrier with_another;
  with_another.events().front().condition = with_another.is_first_warp();
  with_another.barrier();
  CHECK_FALSE(with_another.are_uniform());
}

TEST_CASE("threads that enter a loop with barriers leave it in the same iteration") {
  const Bits always = Bits::boolean(true);
  WarpsAtBarrier same;
  same.skip(always, always);
  CHECK(same.are_uniform());
  WarpsAtBarrier apart;  // the second warp leaves earlier
  apart.skip(always, apart.is_first_warp());
  CHECK_FALSE(apart.are_uniform());
  WarpsAtBarrier alone;  // the second warp does not enter the loop
  alone.skip(alone.is_first_warp(), alone.is_first_warp());
  CHECK(alone.are_uniform());
}
