#include "solver/meetings/barrier_schedules.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "model/program/execution.hpp"
#include "solver/unfolding/unfold.hpp"
#include "src/litmus/litmus_test.hpp"
#include "tests/solver/arrivals.hpp"

using namespace ptxmc;

namespace {

/// The phases of the barrier events, thread by thread, of each schedule.
std::optional<std::vector<std::vector<int>>> schedules_of(const std::string& text, int threads_of_warp) {
  LitmusTest test = parse_litmus("PTX t\n{ x=0; }\n" + text + "exists (x == 0)", "t.litmus");
  int number = 0;
  for (Thread& thread : test.program.threads) {
    thread.placement.warp = number++ / threads_of_warp;
    for (Instruction& instruction : thread.code) instruction.where.column = 0;  // a row is one instruction
  }
  TermGraph graph;
  UnfoldOptions options;
  options.may_wait_for_ever = true;
  const EventStructure structure = unfold(test.program, graph, options);
  const auto schedules = barrier_schedules(structure);
  if (!schedules) return std::nullopt;
  std::vector<std::vector<int>> result;
  for (const BarrierSchedule& schedule : *schedules) {
    auto& phases = result.emplace_back();
    for (std::size_t i = 0; i < schedule.size(); ++i)
      if (structure.events[i].kind == EventKind::barrier) phases.push_back(schedule[i]);
  }
  return result;
}

using Schedules = std::vector<std::vector<int>>;
constexpr int misused = last_misused_phase;  // of the only barrier

const std::string two = " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n";

}  // namespace

// PTX ISA 8.7 § 9.7.13.1.
TEST_CASE("barriers without a count have one schedule") {
  CHECK(schedules_of(two + " bar.sync 0 | bar.sync 0 ;\n bar.sync 0 | bar.sync 0 ;\n", 1) ==
        Schedules{{0, 1, 0, 1}});
}

TEST_CASE("a barrier that some thread never comes to is never complete") {
  CHECK(schedules_of(two + " bar.sync 0 | bar.sync 1 ;\n bar.sync 1 | bar.sync 0 ;\n", 1) ==
        Schedules{{-1, -1, -1, -1}});
}

TEST_CASE("a barrier is complete without threads that have exited") {
  CHECK(schedules_of(two + " bar.sync 0 | ;\n", 1) == Schedules{{0}});
}

TEST_CASE("with a count each way to fill a phase with warps is a schedule") {
  const std::string three = " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n";
  const std::string barrier = "bar.sync 0, 64";
  CHECK(schedules_of(three + " " + barrier + " | " + barrier + " | " + barrier + " ;\n", 1) ==
        Schedules{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
}

TEST_CASE("the threads of a warp arrive together") {
  const std::string four = " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 | P3@cta 0,gpu 0 ;\n";
  const std::string barrier = "bar.sync 0, 64";
  CHECK(schedules_of(four + " " + barrier + " | " + barrier + " | " + barrier + " | " + barrier + " ;\n",
                     2) == Schedules{{0, 0, 0, 0}});
}

TEST_CASE("arrivals beyond a phase count towards the next, also of the same warp") {
  CHECK(schedules_of(two + " bar.arrive 0, 64 | bar.sync 0, 64 ;\n bar.arrive 0, 64 | bar.sync 0, 64 ;\n",
                     1) == Schedules{{0, 0, -1, -1}, {0, 1, 0, 1}});
}

TEST_CASE("which barriers come may not depend on what is read, and threads of a warp may not diverge") {
  CHECK(!schedules_of(
      " P0@cta 0,gpu 0 ;\n ld.relaxed.gpu r0, x ;\n bne r0, 0, LC00 ;\n bar.sync 0 ;\n LC00: ;\n", 1));
  CHECK(!schedules_of(two + " bar.sync 0 | ;\n | bar.sync 0 ;\n", 2));
}

// PTX ISA 8.7 § 9.7.13.1: without a count all threads of the CTA participate.
TEST_CASE("a count of all threads and none are the same; arrivals with other counts and none are a misuse") {
  CHECK(schedules_of(two + " bar.arrive 0, 64 | bar.sync 0 ;\n", 1) == Schedules{{0, 0}});
  CHECK(schedules_of(two + " bar.sync 0, 64 | bar.sync 0 ;\n bar.sync 0 | bar.sync 0, 64 ;\n", 1) ==
        Schedules{{0, 1, 0, 1}});
  // Either P0 fills a phase by itself and exits, or P1 has arrived before.
  CHECK(schedules_of(two + " bar.arrive 0, 32 | bar.sync 0 ;\n", 1) == Schedules{{misused, misused}, {0, 1}});
}

TEST_CASE("phases with a count and phases without one follow each other at a barrier") {
  CHECK(schedules_of(two + " bar.sync 0 | bar.sync 0 ;\n bar.sync 0, 32 | ;\n", 1) == Schedules{{0, 1, 0}});
  // After the first phase P0 has exited, and P1 alone participates.
  CHECK(schedules_of(two + " bar.arrive 0, 64 | bar.sync 0 ;\n | bar.sync 0 ;\n", 1) == Schedules{{0, 0, 1}});
  // Without a count the exit of P0 completes the phase, with one it does not.
  const std::string three = " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n";
  CHECK(schedules_of(three + " | bar.sync 0, 96 | bar.sync 0 ;\n", 1) == Schedules{{misused, misused}});
}

TEST_CASE("phases of one barrier may have different counts, arrivals of one phase may not") {
  CHECK(schedules_of(two + " bar.sync 0, 64 | bar.sync 0, 64 ;\n bar.sync 0, 32 | ;\n", 1) ==
        Schedules{{0, 1, 0}});
  CHECK(schedules_of(two + " bar.sync 0, 64 | bar.sync 0, 32 ;\n", 1) ==
        Schedules{{misused, misused}, {-1, 0}});
}

// The enumeration of all orders is that of tests/solver/arrivals.hpp.
TEST_CASE("the schedules of warps with different thread counts are all orders until a phase is misused") {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const test::MixedPlan plan = test::random_mixed_plan(random);
    const std::string columns = test::columns_of(plan, lanes_per_warp);
    const auto schedules = schedules_of(
        columns.substr(columns.find('\n') + 1, columns.find("exists") - columns.find('\n') - 1), 1);
    CAPTURE(columns);
    REQUIRE(schedules);
    std::set<std::pair<test::Phases, bool>> found;
    for (const test::Phases& phases : *schedules)
      found.insert(
          {test::canonical(phases), std::ranges::any_of(phases, [](int phase) { return phase <= misused; })});
    CHECK(found == test::MixedArriving(plan).found);
  }
}

// An exit lets others go on only where they wait for it.
TEST_CASE("whether a thread ends may depend on what is read where no barrier needs it") {
  const std::string spin = " LC00: ld.relaxed.gpu r0, x | ;\n beq r0, 0, LC00 | ;\n";
  CHECK(schedules_of(two + " bar.sync 0 | bar.sync 0 ;\n" + spin, 1) == Schedules{{0, 0}});
  CHECK(!schedules_of(two + spin + " | bar.sync 0 ;\n", 1));
}

// Arrivals of one phase commute: all 32 warps are waited for in each phase, whichever comes first.
TEST_CASE("thirty-two warps have one schedule where every phase needs all of them") {
  std::string header, row;
  for (int warp = 0; warp < 32; ++warp) {
    header += (warp == 0 ? " P" : " | P") + std::to_string(warp) + "@cta 0,gpu 0";
    row += (warp == 0 ? " " : " | ") + std::string("bar.sync 1, 1024");
  }
  const auto found = schedules_of(header + " ;\n" + row + " ;\n" + row + " ;\n" + row + " ;\n", 1);
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  for (std::size_t i = 0; i < found->front().size(); ++i) CHECK(found->front()[i] == static_cast<int>(i % 3));
}

// One warp too many: which of them is left out differs.
TEST_CASE("a phase that not all warps fit into has a schedule for each way to fill it") {
  const std::string three = " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n";
  CHECK(schedules_of(three + " bar.sync 1, 64 | bar.sync 1, 64 | bar.arrive 1, 64 ;\n", 1)->size() == 3);
}
