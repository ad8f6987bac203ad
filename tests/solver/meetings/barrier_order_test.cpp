#include "solver/meetings/barrier_order.hpp"

#include <doctest/doctest.h>

#include "solver/launch/first_race.hpp"
#include "solver/unfolding/unfold.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// Writes of three threads around barriers; the events in the order of the threads.
struct Launch {
  explicit Launch(const std::string& rows)
      : test(parse_litmus("PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n" + rows +
                              "exists (x == 0)",
                          "t.litmus")),
        structure(unfold(test.program, graph, {})) {}

  /// The event of a thread, by number.
  EventId event(int thread, std::size_t number) const {
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
      if (structure.events[static_cast<std::size_t>(id)].thread == thread && number-- == 0) return id;
    return -1;
  }

  TermGraph graph;
  LitmusTest test;
  EventStructure structure;
};

}  // namespace

// PTX ISA 8.7 § 8.9.4, § 8.9.5.
TEST_CASE("what comes before an arrival comes before what follows a wait of the same phase") {
  const Launch launch(
      " st.weak x, 1       | st.weak x, 2      | st.weak x, 3 ;\n"
      " bar.cta.arrive 1, 2 | bar.cta.sync 1, 2 | ;\n"
      " st.weak x, 4       | st.weak x, 5      | ;\n");
  BarrierSchedule schedule(launch.structure.events.size(), -1);
  schedule[static_cast<std::size_t>(launch.event(0, 1))] = 0;
  schedule[static_cast<std::size_t>(launch.event(1, 1))] = 0;
  const BarrierOrder order(launch.structure, schedule);
  const EventId first = launch.event(0, 0), after_arrival = launch.event(0, 2);
  const EventId before_wait = launch.event(1, 0), after_wait = launch.event(1, 2);
  CHECK(order.precedes(first, after_wait));
  CHECK(order.position(first) < order.position(after_wait));
  CHECK_FALSE(order.precedes(after_arrival, after_wait));
  CHECK_FALSE(order.precedes(first, before_wait));
  CHECK_FALSE(order.precedes(before_wait, after_arrival));  // arrivals do not wait
  CHECK_FALSE(order.precedes(launch.event(2, 0), after_wait));
  CHECK(order.precedes(first, after_arrival));  // program order
  CHECK(order.precedes(0, first));              // the initial write
}

TEST_CASE("up to the first race there is what comes before one of its accesses, arrivals too") {
  const Launch launch(
      " bar.cta.sync 1, 3 | st.weak x, 1       | bar.cta.sync 1, 3 ;\n"
      " st.weak x, 4      | bar.cta.sync 1, 3  | st.weak x, 3 ;\n"
      " ld.weak r0, x     | ld.weak r0, x      | ld.weak r0, x ;\n");
  BarrierSchedule schedule(launch.structure.events.size(), -1);
  for (const EventId id : {launch.event(0, 0), launch.event(1, 1), launch.event(2, 0)})
    schedule[static_cast<std::size_t>(id)] = 0;
  const auto part = up_to_first_race(launch.structure, schedule);
  REQUIRE(part);
  std::vector<std::size_t> kept(3);
  for (const Event& event : part->structure.events)
    if (event.thread >= 0) ++kept[static_cast<std::size_t>(event.thread)];
  // The write of the first thread and the read of the second; the third has arrived at the barrier.
  CHECK(kept == std::vector<std::size_t>{2, 3, 1});
  CHECK(part->schedule.size() == part->structure.events.size());

  const Launch ordered(
      " st.weak x, 1      | | ;\n"
      " bar.cta.sync 1, 2 | bar.cta.sync 1, 2 | ;\n"
      "                   | st.weak x, 5      | ;\n");
  BarrierSchedule both(ordered.structure.events.size(), -1);
  for (const EventId id : {ordered.event(0, 1), ordered.event(1, 0)}) both[static_cast<std::size_t>(id)] = 0;
  CHECK_FALSE(up_to_first_race(ordered.structure, both));
}

TEST_CASE("order passes over one barrier after the other") {
  const Launch launch(
      " st.weak x, 1      | bar.cta.sync 1, 2 | bar.cta.sync 2, 2 ;\n"
      " bar.cta.sync 1, 2 | bar.cta.sync 2, 2 | st.weak x, 2 ;\n");
  BarrierSchedule schedule(launch.structure.events.size(), -1);
  for (const EventId id : {launch.event(0, 1), launch.event(1, 0)})
    schedule[static_cast<std::size_t>(id)] = 7;
  for (const EventId id : {launch.event(1, 1), launch.event(2, 0)})
    schedule[static_cast<std::size_t>(id)] = 3;
  const EventId first = launch.event(0, 0), last = launch.event(2, 1);
  CHECK(BarrierOrder(launch.structure, schedule).precedes(first, last));
  CHECK_FALSE(BarrierOrder(launch.structure).precedes(first, last));
}
