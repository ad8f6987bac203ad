#include "solver/launch/defined_part.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// A launch whose events happen unconditionally. Two initial writes come first.
struct Events {
  LitmusTest test;
  TermGraph graph;
  EventStructure structure;

  explicit Events(const std::string& rows)
      : test(launch_of("{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "exists (x == 0)")),
        structure(events_of(test, graph)) {}

  /// The n-th event of a thread.
  EventId event(int thread, int n) const {
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
      if (structure.events[static_cast<std::size_t>(id)].thread == thread && n-- == 0) return id;
    FAIL("no such event");
    return -1;
  }

  bool contains(const UndefinedUses& uses, LaunchProperty property, EventId site) const {
    Suspect suspect;
    suspect.site.event = site;
    suspect.site.thread =
        site < 0 ? Event::no_thread : structure.events[static_cast<std::size_t>(site)].thread;
    return DefinedPart(test.program, structure.events, uses).contains(property, suspect, std::identity());
  }
};

const std::string two_stores = " st.weak x, 1 | st.weak y, 1 ;\n st.weak y, 2 | st.weak x, 2 ;\n";

}  // namespace

TEST_CASE("without an undefined use all of an execution is defined") {
  const Events events(two_stores);
  CHECK(events.contains({}, LaunchProperty::race, events.event(0, 1)));
  CHECK(events.contains({}, LaunchProperty::deadlock, -1));
}

TEST_CASE("what follows an undefined use is not defined; the use itself may race") {
  const Events events(two_stores);
  const EventId use = events.event(0, 0), after = events.event(0, 1), beside = events.event(1, 0);
  UndefinedUses uses;
  uses.misuses = {{0, use}};
  uses.after = {{use, after}};
  CHECK(!events.contains(uses, LaunchProperty::race, after));
  CHECK(events.contains(uses, LaunchProperty::race, use));
  CHECK(!events.contains(uses, LaunchProperty::uninitialized, use));
  CHECK(events.contains(uses, LaunchProperty::race, beside));
  CHECK(events.contains(uses, LaunchProperty::undefined, use));
  CHECK(!events.contains(uses, LaunchProperty::deadlock, -1));
}

// PTX ISA 8.7 § 9.7.13.1: barrier.red must not be intermixed with barrier.sync at one active barrier.
TEST_CASE("what is behind both arrivals that misuse their phase is not defined") {
  const Events events(
      " barrier.sync 1, 64 | barrier.red.popc.u32 r0, 1, 64, 1 ;\n st.weak x, 1 | st.weak y, 1 ;\n");
  UndefinedUses uses;
  uses.phases.assign(events.structure.events.size(), -1);
  for (const int thread : {0, 1}) uses.phases[static_cast<std::size_t>(events.event(thread, 0))] = 0;
  for (const int thread : {0, 1}) {
    CHECK(!events.contains(uses, LaunchProperty::race, events.event(thread, 1)));
    CHECK(events.contains({}, LaunchProperty::race, events.event(thread, 1)));
  }
}
