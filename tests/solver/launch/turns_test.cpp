#include "solver/launch/turns.hpp"

#include <doctest/doctest.h>

#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// Under the only way to pass the barriers.
std::optional<TakenTurns> turns_of(const LitmusTest& test, TermGraph& graph, Turn turn) {
  const EventStructure structure = events_of(test, graph);
  const auto schedules = barrier_schedules(structure);
  REQUIRE(schedules.has_value());
  REQUIRE(schedules->size() == 1);
  return take_turns(under_schedule(structure, schedules->front()), schedules->front(), {}, {}, turn);
}

}  // namespace

TEST_CASE("memory of unknown content holds zeros") {
  LitmusTest test = launch_of(
      "{ x=0; y=0; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, x ;\n add r0, r0, 1 ;\n"
      " st.weak y, r0 ;\nforall (x == 0)\n");
  test.program.memory[0].initial = {Bits()};
  TermGraph graph;
  const auto turns = turns_of(test, graph, Turn::all);
  REQUIRE(turns.has_value());
  CHECK(turns->has_ended);
  CHECK(turns->final_memory[1][0].to_u64() == 1);
}

TEST_CASE("moments follow the turns: with short turns, the accesses of the threads alternate") {
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | st.weak x, 3 ;\n"
      " st.weak x, 2 | st.weak x, 4 ;\nforall (x == 0)\n");
  TermGraph graph;
  // The initial write, then two writes of each thread.
  CHECK(turns_of(test, graph, Turn::access)->moment == std::vector<std::size_t>{1, 2, 4, 3, 5});
  CHECK(turns_of(test, graph, Turn::all)->moment == std::vector<std::size_t>{1, 2, 3, 4, 5});
}

TEST_CASE("a thread that waits at a barrier for ever is stuck") {
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " barrier.cta.sync 0, 64 | st.weak x, 1 ;\nforall (x == 0)\n",
      32);
  TermGraph graph;
  const auto turns = turns_of(test, graph, Turn::all);
  REQUIRE(turns.has_value());
  CHECK(turns->blocked.empty());
  CHECK_FALSE(turns->has_ended);
  CHECK(turns->is_stuck);
}

TEST_CASE("a read of a loop that waits comes when the loop can end") {
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n L: | st.relaxed.gpu x, 1 ;\n"
      " ld.relaxed.gpu r0, x | ;\n setp.eq.s64 p0, r0, 0 | ;\n @p0 bra L | ;\nforall (x == 0)\n");
  TermGraph graph;
  const auto turns = turns_of(test, graph, Turn::all);
  REQUIRE(turns.has_value());
  CHECK(turns->has_ended);
  CHECK(turns->moment == std::vector<std::size_t>{1, 3, 2});  // the initial write, the read, the write
}

TEST_CASE("a held event comes when no other thread can continue") {
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | st.weak x, 3 ;\n"
      " st.weak x, 2 | st.weak x, 4 ;\nforall (x == 0)\n");
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  const BarrierSchedule none(structure.events.size(), -1);
  const auto moments = [&](std::set<EventId> held) {
    return take_turns(structure, none, {}, {}, Turn::all, std::move(held))->moment;
  };
  CHECK(moments({1}) == std::vector<std::size_t>{1, 4, 5, 2, 3});
  CHECK(moments({2}) == std::vector<std::size_t>{1, 2, 5, 3, 4});
  CHECK(moments({1, 3}) == std::vector<std::size_t>{1, 2, 3, 4, 5});
}

TEST_CASE("a read-modify-write is held as a whole") {
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n atom.relaxed.gpu.add r0, x, 1 | st.weak x, 3 ;\n"
      "forall (x == 0)\n");
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  const BarrierSchedule none(structure.events.size(), -1);
  // The initial write, the read and the write of the atomic, the other write.
  const auto turns = take_turns(structure, none, {}, {}, Turn::all, {2});
  REQUIRE(turns.has_value());
  CHECK(turns->moment == std::vector<std::size_t>{1, 3, 4, 2});
}
