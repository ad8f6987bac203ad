// PTX ISA 8.7 § 9.7.13.15: uses of mbarrier objects.
#include "solver/launch/object_uses.hpp"

#include <doctest/doctest.h>

#include "tests/model/executions.hpp"

using namespace ptxmc;

namespace {

constexpr std::uint64_t object = 0x100;
constexpr Access init{.mbarrier = MbarrierAccess::init},
    arrive{.sem = Sem::release, .scope = Scope::cta, .mbarrier = MbarrierAccess::operation};

ObjectUses uses(ExecutionBuilder& test) {
  std::vector<std::size_t> moments;
  for (std::size_t i = 0; i < test.execution().events.size(); ++i) moments.push_back(i + 1);
  return uses_of_objects(test.execution(), moments);
}

/// A thread makes an object, and another one arrives, behind a barrier if there is one.
struct Arrival : ExecutionBuilder {
  int p0 = thread(), p1 = thread();
  EventId memory = initial(object, 8), made = -1, arrived = -1;

  explicit Arrival(bool has_barrier, Barrier::Kind first = Barrier::Kind::sync) {
    made = write(p0, object, 8, 1, init);
    if (has_barrier) barrier(p0, first, 0, 0);
    if (has_barrier) barrier(p1, Barrier::Kind::sync, 0, 0);
    arrived = read_modify_write(p1, object, 8, made, 2, arrive) + 1;
  }
};

}  // namespace

TEST_CASE("an arrival follows the init behind a barrier") {
  for (const Barrier::Kind first : {Barrier::Kind::sync, Barrier::Kind::arrive}) {
    Arrival test(true, first);
    CHECK_FALSE(uses(test).may_be_misused);
    CHECK(uses(test).unordered.empty());
  }
  Arrival test(false);
  CHECK_FALSE(uses(test).may_be_misused);
  CHECK(uses(test).unordered == std::vector<std::pair<EventId, EventId>>{{test.made, test.arrived}});
  Arrival relaxed(true, Barrier::Kind::arrive);
  relaxed.event(relaxed.made + 1).barrier.is_relaxed = true;
  CHECK(uses(relaxed).unordered.size() == 1);
}

TEST_CASE("operations without a valid object, and other accesses to one, may be undefined") {
  ExecutionBuilder no_object;
  const int p0 = no_object.thread();
  const EventId memory = no_object.initial(object, 8);
  no_object.read_modify_write(p0, object, 8, memory, 1, arrive);
  CHECK(uses(no_object).may_be_misused);

  Arrival again(true);
  again.write(again.p1, object, 8, 1, init);
  CHECK(uses(again).may_be_misused);

  Arrival invalidated(true);
  invalidated.write(invalidated.p1, object, 8, 1, {.mbarrier = MbarrierAccess::inval});
  CHECK(uses(invalidated).may_be_misused);

  for (const std::uint64_t place : {object - 4, object - 1, object + 4, object + 7, object + 8}) {
    Arrival beside(true);
    beside.write(beside.p1, place, 4, 1);
    CHECK(uses(beside).may_be_misused == (place + 4 > object && place < object + 8));
  }

  Arrival reduction(true);
  const EventId red = reduction.write(reduction.p1, 0x200, 4, 1, {.is_reduction = true});
  CHECK_FALSE(uses(reduction).may_be_misused);
  reduction.event(red).strand = 1;
  CHECK(uses(reduction).may_be_misused);
}
