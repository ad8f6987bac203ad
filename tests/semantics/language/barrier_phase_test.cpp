#include "semantics/language/barrier_phase.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace ptxmc;

namespace {

using Step = BarrierPhase::Step;
using enum Barrier::Kind;

/// Two warps of two threads each.
struct TwoWarps {
  std::vector<std::vector<int>> warps = {{0, 1}, {2, 3}};
  std::set<int> gone;
  BarrierPhase phase;

  Step::Kind arrive(int thread, std::optional<std::uint64_t> count = {}) {
    phase.arrive(static_cast<std::size_t>(thread / 2), {.thread = thread, .count = count});
    Step step = advance();
    while (step.kind == Step::Kind::counted) step = advance();
    return step.kind;
  }
  Step advance() {
    return phase.advance({.units = warps, .has_left = [&](int thread) { return gone.contains(thread); }});
  }
};

}  // namespace

// PTX ISA 8.7 § 9.7.13.1: without a count all threads of the CTA that have not exited are waited for.
TEST_CASE("without a count all threads are waited for") {
  TwoWarps test;
  CHECK(test.arrive(0) == Step::Kind::none);
  CHECK(test.arrive(1) == Step::Kind::none);
  CHECK(test.arrive(2) == Step::Kind::none);
  SUBCASE("until they arrive") { CHECK(test.arrive(3) == Step::Kind::complete); }
  SUBCASE("or exit") {
    test.gone = {3};
    CHECK(test.advance().kind == Step::Kind::counted);
    const Step step = test.advance();
    CHECK(step.kind == Step::Kind::complete);
    CHECK(step.members.size() == 3);
  }
  CHECK(test.advance().kind == Step::Kind::none);  // the next phase has begun
}

TEST_CASE("the n-th arrival of a thread counts together with the n-th of the other threads of its unit") {
  BarrierPhase phase;
  const auto events_beside_latest = [&] {
    std::vector<int> events;
    for (const Arrival* arrival : phase.beside_latest(0)) events.push_back(arrival->event);
    return events;
  };
  CHECK(events_beside_latest().empty());
  phase.arrive(0, {.thread = 0, .event = 10});
  CHECK(events_beside_latest().empty());
  phase.arrive(0, {.thread = 0, .event = 11});  // after barrier.arrive, which does not wait
  CHECK(events_beside_latest().empty());
  phase.arrive(0, {.thread = 1, .event = 20});
  CHECK(events_beside_latest() == std::vector{10});
  phase.arrive(0, {.thread = 1, .event = 21});
  CHECK(events_beside_latest() == std::vector{11});
  phase.arrive(0, {.thread = 2, .event = 30});
  CHECK(events_beside_latest() == std::vector{10, 20});
}

// § 9.7.13.1: "the barrier count is increased by the warp size (not the number of active threads in the
// warp)".
TEST_CASE("with a count a warp counts as 32 threads") {
  TwoWarps test;
  CHECK(test.arrive(0, 32) == Step::Kind::none);
  CHECK(test.arrive(1, 32) == Step::Kind::complete);
  CHECK(test.arrive(2, 64) == Step::Kind::none);
  CHECK(test.arrive(3, 64) == Step::Kind::none);
  CHECK(test.arrive(0, 64) == Step::Kind::none);
  CHECK(test.arrive(1, 64) == Step::Kind::complete);
}

// § 9.7.13.1: warps that meet use the same thread count; without one all threads of the CTA participate.
TEST_CASE("arrivals with different counts misuse their phase") {
  TwoWarps test;
  const auto arrive_both = [&](int thread, std::optional<std::uint64_t> count) {
    test.arrive(thread, count);
    return test.arrive(thread + 1, count);
  };
  SUBCASE("one after the other") {
    CHECK(arrive_both(0, 64) == Step::Kind::none);
    CHECK(arrive_both(2, 32) == Step::Kind::misused);
    CHECK(test.advance().kind == Step::Kind::misused);
    CHECK(test.advance().members.size() == 4);
  }
  SUBCASE("not if the first one fills a phase") {
    CHECK(arrive_both(2, 32) == Step::Kind::complete);
    CHECK(arrive_both(0, 64) == Step::Kind::none);
  }
  SUBCASE("in one warp") {
    test.arrive(0, 64);
    CHECK(test.arrive(1, 32) == Step::Kind::misused);
  }
  SUBCASE("no count is that of all warps") {
    CHECK(arrive_both(0, {}) == Step::Kind::none);
    SUBCASE("the same") { CHECK(arrive_both(2, 64) == Step::Kind::complete); }
    SUBCASE("another one") { CHECK(arrive_both(2, 32) == Step::Kind::misused); }
  }
  SUBCASE("no count beside one, and a warp exits") {
    test.warps.push_back({4});
    arrive_both(0, {});
    CHECK(arrive_both(2, 96) == Step::Kind::none);
    test.gone = {4};
    CHECK(test.advance().kind == Step::Kind::misused);
  }
  SUBCASE("no count beside one, and a warp arrives twice") {
    test.warps.push_back({4});
    arrive_both(2, 96);
    arrive_both(2, 96);
    CHECK(arrive_both(0, {}) == Step::Kind::misused);
  }
}

TEST_CASE("a thread that arrives twice is ahead of its warp") {
  TwoWarps test;
  CHECK(test.arrive(0, 32) == Step::Kind::none);
  CHECK(test.arrive(0, 32) == Step::Kind::none);
  CHECK(test.arrive(1, 32) == Step::Kind::complete);
  CHECK(test.phase.gathered(0).size() == 1);
  CHECK(test.arrive(1, 32) == Step::Kind::complete);
  CHECK(test.phase.gathered(0).empty());
}

TEST_CASE("a thread that has arrived and exited belongs to the phase") {
  TwoWarps test;
  for (int thread = 0; thread < 4; ++thread)
    test.phase.arrive(static_cast<std::size_t>(thread / 2), {.thread = thread});
  CHECK(test.advance().kind == Step::Kind::counted);
  test.gone = {0, 1, 2, 3};
  CHECK(test.advance().kind == Step::Kind::counted);
  CHECK(test.advance().members.size() == 4);
}

TEST_CASE("the members of a unit that becomes whole") {
  TwoWarps test;
  test.phase.arrive(0, {.thread = 0, .use = {.is_aligned = true}});
  CHECK(test.advance().kind == Step::Kind::none);
  test.phase.arrive(0, {.thread = 1});
  const Step step = test.advance();
  CHECK(step.kind == Step::Kind::counted);
  REQUIRE(step.members.size() == 2);
  CHECK(step.members[0].use.is_aligned);
  CHECK_FALSE(step.members[1].use.is_aligned);
}

TEST_CASE("reductions") {
  TermGraph graph;
  const Bits open = graph.variable(1, "p"), is_member = graph.variable(1, "is of the phase");
  const Bits yes = Bits::boolean(true), no = Bits::boolean(false);
  const std::vector<Contribution> known = {{yes}, {no}, {yes}};
  CHECK(reduction(reduce_popc, known).to_u64() == 2);
  CHECK(reduction(reduce_and, known).is_false());
  CHECK(reduction(reduce_or, known).is_true());
  CHECK(reduction(reduce_and, std::vector<Contribution>{{yes}, {no, no}}).is_true());
  CHECK(reduction(reduce_popc, std::vector<Contribution>{{yes}, {yes, no}}).to_u64() == 1);
  CHECK(identical(reduction(reduce_or, std::vector<Contribution>{{open, is_member}}), is_member & open));
}
