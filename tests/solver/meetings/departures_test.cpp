#include "solver/meetings/departures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "solver/meetings/mbarrier_phases.hpp"
#include "tests/solver/launch_columns.hpp"

using namespace ptxmc;

namespace {

const std::string arrive = "mbarrier.arrive.shared.b64 _, [a]", departs = "fence.acq_rel.cta",
                  sets_two = "st.relaxed.cta.shared.u32 [c], 2";

/// Threads that depart at their fences.
struct DepartingLaunch {
  TermGraph graph;
  LitmusTest test;
  EventStructure structure;
  std::vector<Departure> departures;

  DepartingLaunch(const Columns& columns, unsigned arrivals, unsigned group = 2)
      : test(columns.test(arrivals)), structure(events_of(test, graph)) {
    Departure departure;
    departure.name = 7;
    for (const Event& event : structure.events) {
      if (event.kind == EventKind::write && event.size == 4) departure.counter = event.location.to_u64();
      if (event.kind == EventKind::read && event.rmw >= 0 && event.size == 4) {
        Departure joins;
        joins.event = static_cast<EventId>(&event - structure.events.data());
        joins.joins = true;
        joins.counter = event.location.to_u64();
        joins.name = 7;
        departures.push_back(joins);
      }
      if (event.kind == EventKind::write && event.access.mbarrier == MbarrierAccess::operation)
        departure.objects = {event.location.to_u64()};
    }
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
      if (const Event& event = structure.events[static_cast<std::size_t>(id)];
          event.kind == EventKind::fence && !event.fence.is_proxy_fence) {
        departure.event = id;
        departures.push_back(departure);
      }
    REQUIRE(std::ranges::count(departures, false, &Departure::joins) == group);
  }

  bool are_idle() const {
    const auto waits = MbarrierWaits::find(structure);
    REQUIRE(waits);
    REQUIRE(mbarrier_schedules(*waits));
    return mbarrier_schedules(*waits, departures).has_value();
  }
};

/// Two threads that both arrive and wait, and depart. `more` adds instructions of thread 1 before it departs.
Columns two_threads(const std::string& sets = sets_two, const std::string& more = "",
                    std::size_t threads = 2) {
  Columns columns(threads, ".shared c : u32 = 0;");
  columns.add(0, sets).add(0, "bar.sync 0").add(0, arrive).wait(0, "a", "0").add(0, departs);
  columns.add(1, "bar.sync 0").add(1, arrive).wait(1, "a", "0");
  if (!more.empty()) columns.add(1, more);
  return columns.add(1, departs);
}

}  // namespace

TEST_CASE("the last thread of a group departs after all operations on the object") {
  CHECK(DepartingLaunch(two_threads(), 2).are_idle());
}

TEST_CASE("the counter becomes zero when all have left only if it counts all") {
  CHECK_FALSE(DepartingLaunch(two_threads("st.relaxed.cta.shared.u32 [c], 1"), 2).are_idle());
  CHECK(DepartingLaunch(two_threads("st.relaxed.cta.shared.u32 [c], 3"), 2).are_idle());
}

TEST_CASE("all accesses to the counter precede all departures, and the last one is a write of a number") {
  CHECK_FALSE(DepartingLaunch(two_threads(sets_two, "ld.relaxed.cta.shared.u32 r1, [c]"), 2).are_idle());
  CHECK_FALSE(DepartingLaunch(two_threads(sets_two, "st.relaxed.cta.shared.u32 [c], 2"), 2).are_idle());
  Columns unordered(2, ".shared c : u32 = 0;");
  unordered.add(0, arrive).wait(0, "a", "0").add(0, sets_two).add(0, departs);
  unordered.add(1, arrive).wait(1, "a", "0").add(1, departs);
  CHECK_FALSE(DepartingLaunch(unordered, 2).are_idle());
}

TEST_CASE("the last write before the departures gives the size of the group") {
  Columns twice(2, ".shared c : u32 = 0;");
  twice.add(0, "st.relaxed.cta.shared.u32 [c], 5").add(0, "ld.relaxed.cta.shared.u32 r1, [c]");
  twice.add(0, sets_two).add(0, "bar.sync 0").add(0, arrive).wait(0, "a", "0").add(0, departs);
  twice.add(1, "bar.sync 0").add(1, arrive).wait(1, "a", "0").add(1, departs);
  CHECK(DepartingLaunch(twice, 2).are_idle());
}

namespace {

const std::string joins = "atom.add.relaxed.cta.shared.u32 r1, [c], 1";

/// Two threads that join, use the object, and depart. `behind` follows the addition of thread 1.
Columns joining_threads(const std::string& behind = "", const std::string& then = "bar.sync 0") {
  Columns columns(2, ".shared c : u32 = 0;");
  columns.add(0, "st.relaxed.cta.shared.u32 [c], 0").add(0, "bar.sync 0").add(0, joins).add(0, then);
  columns.add(0, "ld.relaxed.cta.shared.u32 r2, [c]").add(0, sets_two).add(0, "bar.sync 0");
  columns.add(0, arrive).wait(0, "a", "0").add(0, departs);
  columns.add(1, "bar.sync 0").add(1, joins);
  if (!behind.empty()) columns.add(1, behind);
  columns.add(1, then).add(1, "bar.sync 0").add(1, arrive).wait(1, "a", "0");
  return columns.add(1, departs);
}

}  // namespace

TEST_CASE("it does not matter which threads join together if barriers enclose their additions") {
  CHECK(DepartingLaunch(joining_threads(), 2).are_idle());
  // another thread may not have joined yet
  CHECK_FALSE(DepartingLaunch(joining_threads("ld.relaxed.cta.shared.u32 r3, [c]"), 2).are_idle());
  CHECK_FALSE(DepartingLaunch(joining_threads("", "ld.weak.u32 r4, [x]"), 2).are_idle());
  // a fence between makes a pattern with the additions
  CHECK_FALSE(DepartingLaunch(joining_threads("fence.proxy.alias"), 2).are_idle());
}

TEST_CASE("an operation behind the departure of its thread may come after the invalidation") {
  Columns late = two_threads();
  late.add(1, arrive);
  CHECK_FALSE(DepartingLaunch(late, 2).are_idle());
}

TEST_CASE("an operation of another thread must be observed before a departure") {
  Columns unobserved = two_threads(sets_two, "", 3);
  unobserved.add(2, "bar.sync 0").wait(2, "a", "0").add(2, arrive);
  CHECK_FALSE(DepartingLaunch(unobserved, 2).are_idle());
  Columns observed = two_threads(sets_two, "", 3);
  observed.add(2, "bar.sync 0").add(2, arrive);
  CHECK(DepartingLaunch(observed, 3).are_idle());
}

TEST_CASE("threads of one group depart once, with the same name and the same objects") {
  Columns twice = two_threads("st.relaxed.cta.shared.u32 [c], 3");
  CHECK_FALSE(DepartingLaunch(twice.add(1, departs), 2, 3).are_idle());
  const std::function<void(Departure&)> edits[] = {
      [](Departure& departure) { departure.name = 8; },
      [](Departure& departure) { departure.objects.clear(); },
      [](Departure& departure) { departure.objects.push_back(0); },
  };
  for (const auto& edit : edits) {
    DepartingLaunch launch(two_threads(), 2);
    edit(launch.departures.back());
    CHECK_FALSE(launch.are_idle());
  }
  DepartingLaunch without_object(two_threads(), 2);
  for (Departure& departure : without_object.departures) departure.objects = {0};
  CHECK_FALSE(without_object.are_idle());
}

TEST_CASE("departures end threads if nothing but departures follows") {
  const DepartingLaunch launch(two_threads(), 2);
  CHECK(do_departures_end_threads(launch.structure, launch.departures));
  Columns twice = two_threads();
  const DepartingLaunch departs_twice(twice.add(1, departs), 2, 3);
  CHECK(do_departures_end_threads(departs_twice.structure, departs_twice.departures));
  Columns late = two_threads();
  const DepartingLaunch goes_on(late.add(1, "ld.weak.u32 r1, [x]"), 2);
  CHECK_FALSE(do_departures_end_threads(goes_on.structure, goes_on.departures));
}
