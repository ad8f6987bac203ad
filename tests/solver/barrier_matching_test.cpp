#include "solver/barrier_matching.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace ptxmc;

namespace {

Event arrival(int thread, unsigned step, Barrier::Kind kind, std::optional<unsigned> count = {},
              unsigned id = 0) {
  Event event;
  event.kind = EventKind::barrier;
  event.thread = thread;
  event.step = step;
  event.barrier.kind = kind;
  event.barrier.id = Bits(32, id);
  if (count) event.barrier.count = Bits(32, *count);
  return event;
}

std::vector<std::vector<int>> phases(const std::vector<Event>& events) {
  std::vector<EventId> all;
  for (EventId id = 0; id < static_cast<EventId>(events.size()); ++id) all.push_back(id);
  std::vector<std::vector<int>> result;
  for (const BarrierMatching& matching : match_barriers(events, all)) result.push_back(matching.phase);
  std::sort(result.begin(), result.end());
  return result;
}

using enum Barrier::Kind;
constexpr Barrier::Kind synchronize = Barrier::Kind::sync;  // the name alone is POSIX's

}  // namespace

// PTX ISA 8.7 § 9.7.13.1: the barrier is complete when the threads participating have arrived.
TEST_CASE("without a count the n-th arrivals of all threads meet") {
  CHECK(phases({arrival(0, 0, synchronize), arrival(0, 1, synchronize), arrival(1, 0, synchronize),
                arrival(1, 1, synchronize)}) == std::vector<std::vector<int>>{{0, 1, 0, 1}});
}

TEST_CASE("barriers with different ids do not meet") {
  const auto found = phases({arrival(0, 0, synchronize, {}, 0), arrival(1, 0, synchronize, {}, 1)});
  REQUIRE(found.size() == 1);
  CHECK(found[0][0] != found[0][1]);
}

TEST_CASE("with a count any so many arrivals fill a phase, and the rest waits") {
  CHECK(
      phases({arrival(0, 0, synchronize, 2), arrival(1, 0, synchronize, 2), arrival(2, 0, synchronize, 2)}) ==
      std::vector<std::vector<int>>{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
}

TEST_CASE("where each phase needs all threads, the n-th arrivals of all meet") {
  std::vector<Event> events;
  std::vector<int> expected;
  for (int thread = 0; thread < 64; ++thread)
    for (const int phase : {0, 1, 2}) {
      events.push_back(arrival(thread, static_cast<unsigned>(phase), synchronize, 64));
      expected.push_back(phase);
    }
  CHECK(phases(events) == std::vector<std::vector<int>>{expected});
}

TEST_CASE("too few arrivals fill no phase") {
  CHECK(phases({arrival(0, 0, synchronize, 3), arrival(1, 0, synchronize, 3)}) ==
        std::vector<std::vector<int>>{{-1, -1}});
}

TEST_CASE("a thread that waits is in one phase once, one that only arrives may be twice") {
  CHECK(phases({arrival(0, 0, synchronize, 2), arrival(0, 1, synchronize, 2)}).empty());
  CHECK(phases({arrival(0, 0, arrive, 2), arrival(0, 1, arrive, 2)}) ==
        std::vector<std::vector<int>>{{0, 0}});
}

TEST_CASE("different counts do not meet, and nobody is left whom the others would do for") {
  CHECK(phases({arrival(0, 0, synchronize, 2), arrival(1, 0, synchronize, 3)}).empty());
}

TEST_CASE("reductions are over the predicates of those that met") {
  std::vector<Event> events = {arrival(0, 0, reduce_popc), arrival(1, 0, reduce_popc),
                               arrival(2, 0, reduce_popc)};
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].value = Bits(32, 0);
    events[i].barrier.predicate = Bits::boolean(i != 1);
  }
  const EventId met[] = {0, 1, 2};
  CHECK(reduction_result(events, 0, met).to_u64() == 2);
  for (Event& event : events) {
    event.value = Bits(1, 0);
    event.barrier.kind = reduce_and;
  }
  CHECK(reduction_result(events, 0, met).is_false());
  for (Event& event : events) event.barrier.kind = reduce_or;
  CHECK(reduction_result(events, 1, met).is_true());
}
