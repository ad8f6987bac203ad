// Aligned barriers that not all threads of a warp execute together (PTX ISA 8.7 § 9.7.13.1).
#include "solver/meetings/divergence.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>

#include "solver/limits/time_limit.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// The aligned barriers that a thread executes, in order.
using Way = std::vector<const Event*>;

/// A launch whose reads return what `value` says.
struct DivergentLaunch {
  LitmusTest test;
  TermGraph graph;
  EventStructure structure;

  explicit DivergentLaunch(const std::string& rows, int threads_of_warp = 2)
      : test(launch_of("{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "exists (x == 0)",
                       threads_of_warp)),
        structure(events_of(test, graph)) {}

  /// Reads return a bit of `choice` in turn, and every thread goes on behind its barriers.
  Substitution values(unsigned choice) const {
    Substitution result;
    for (const Event& event : structure.events) {
      if (event.is_read()) {
        result.set(event.value.term()->variable, Bits(event.value.width(), choice & 1));
        choice >>= 1;
      }
      if (event.goes_on.width() != 0) result.set(event.goes_on.term()->variable, Bits::boolean(true));
    }
    return result;
  }

  Way way_of(int thread, Substitution& values) const {
    Way way;
    for (const Event& event : structure.events)
      if (event.thread == thread && event.kind == EventKind::barrier && event.barrier.aligned &&
          values.apply(event.condition).is_true())
        way.push_back(&event);
    return way;
  }

  /// Whether the n-th aligned barriers of the two threads are different instructions, and whether one thread
  /// has fewer.
  struct Expected {
    bool elsewhere, without;
  };
  Expected expected(const Event& barrier, Substitution& values) const {
    const Way own = way_of(barrier.thread, values), other = way_of(1 - barrier.thread, values);
    const auto n = static_cast<std::size_t>(std::ranges::find(own, &barrier) - own.begin());
    if (n >= other.size()) return {false, true};
    return {other[n]->instruction->where.line != barrier.instruction->where.line, false};
  }
};

void compare(const std::string& rows) {
  CAPTURE(rows);
  DivergentLaunch launch(rows);
  const auto found = divergences(launch.structure);
  for (unsigned choice = 0; choice < 4; ++choice) {
    CAPTURE(choice);
    Substitution values = launch.values(choice);
    for (const Event& event : launch.structure.events) {
      if (event.kind != EventKind::barrier || !values.apply(event.condition).is_true()) continue;
      const auto id = static_cast<EventId>(&event - launch.structure.events.data());
      bool elsewhere = false, without = false;
      for (const Divergence& divergence : found) {
        if (divergence.barrier != id) continue;
        elsewhere = elsewhere || values.apply(divergence.elsewhere).is_true();
        without = without || values.apply(divergence.without).is_true();
      }
      const auto expected = launch.expected(event, values);
      CHECK(elsewhere == expected.elsewhere);
      CHECK(without == expected.without);
    }
  }
}

}  // namespace

TEST_CASE("the n-th aligned barriers of a warp's threads are one instruction, or they diverge") {
  compare(" bar.sync 0 | bar.sync 0 ;\n");
  compare(" bar.sync 0 | ;\n | bar.sync 0 ;\n");
  compare(" bar.sync 0 | ;\n");
  compare(
      " ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n beq r0, 0, A | beq r0, 0, B ;\n bar.sync 0 | "
      "bar.sync 0 ;\n"
      " A: | B: ;\n");
  compare(
      " ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n beq r0, 0, A | beq r0, 0, B ;\n bar.sync 0 | "
      "bar.sync 0 ;\n"
      " A: bar.sync 1 | B: bar.sync 1 ;\n");
  compare(
      " bar.sync 0 | bar.sync 0 ;\n ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n beq r0, 1, A | bne r0, "
      "1, B ;\n"
      " bar.sync 0 | bar.sync 0 ;\n A: | B: ;\n");
}

TEST_CASE("threads of different warps do not diverge, and barriers that are not aligned neither") {
  const auto diverges = [](const std::string& rows, int threads_of_warp) {
    DivergentLaunch launch(rows, threads_of_warp);
    return std::ranges::any_of(divergences(launch.structure), [](const Divergence& divergence) {
      return !divergence.elsewhere.is_false() || !divergence.without.is_false();
    });
  };
  CHECK(diverges(" bar.sync 0 | ;\n | bar.sync 0 ;\n", 2));
  CHECK_FALSE(diverges(" bar.sync 0 | ;\n | bar.sync 0 ;\n", 1));
  CHECK_FALSE(diverges(" barrier.sync 0 | ;\n | barrier.sync 0 ;\n", 2));
}

// P1 executes another instruction than P0 at its only arrival. It passes the first barrier of another number.
TEST_CASE("a divergence stops a phase of which an arrival or an exit comes after it") {
  const DivergentLaunch launch(" bar.sync 0 | ;\n | bar.sync 0 ;\n bar.sync 1 | ;\n | bar.sync 1 ;\n");
  std::vector<EventId> barriers;
  for (EventId id = 0; id < static_cast<EventId>(launch.structure.events.size()); ++id)
    if (launch.structure.events[static_cast<std::size_t>(id)].kind == EventKind::barrier)
      barriers.push_back(id);
  REQUIRE(barriers.size() == 4);  // by thread
  const Bits yes = Bits::boolean(true);
  const std::vector<Divergence::Other> first_of_other = {{barriers[2], yes}};
  const auto stops = [&](std::vector<PhaseMember> members) {
    Substitution all_go_on = launch.values(0);
    return all_go_on.apply(PhaseDivergence(launch.structure, members).of(first_of_other)).is_true();
  };
  CHECK(stops({{barriers[0], yes}, {barriers[2], yes}}));
  CHECK(stops({{barriers[1], yes}, {barriers[3], yes}}));
  CHECK(stops({{barriers[1], yes}}));  // it waits for the exit of P1
  const std::vector<PhaseMember> before = {{barriers[0], yes}, {barriers[2], yes}};
  const std::vector<Divergence::Other> second_of_other = {{barriers[3], yes}};
  PhaseDivergence first_phase(launch.structure, before);
  CHECK(first_phase.of(second_of_other).is_false());
  CHECK(first_phase.of(first_of_other).is_true());
}

TEST_CASE("the search for divergences obeys the time limit") {
  const DivergentLaunch launch(" bar.sync 0 | ;\n | bar.sync 0 ;\n");
  const auto divergent = divergent_barriers_by_event(launch.structure);
  const auto others = std::ranges::find_if(divergent, [](const auto& some) { return !some.empty(); });
  REQUIRE(others != divergent.end());
  const std::atomic<bool> interrupted = true;
  const TimeLimit limit(0, &interrupted);
  CHECK_THROWS_AS(PhaseDivergence(launch.structure, {}).of(*others), OutOfTime);
}
