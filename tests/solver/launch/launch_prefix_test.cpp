#include "solver/launch/launch_prefix.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/model/executions.hpp"

using namespace ptxmc;

namespace {

constexpr std::uint64_t x = 0x100, y = 0x200;

std::vector<EventId> kept(const Prefix& prefix) {
  std::vector<EventId> result;
  for (EventId id = 0; id < static_cast<EventId>(prefix.numbers.size()); ++id)
    if (prefix.numbers[static_cast<std::size_t>(id)] >= 0) result.push_back(id);
  return result;
}

std::vector<EventId> kept_before(ExecutionBuilder& test, EventId event) {
  std::vector<bool> cut(test.execution().events.size());
  cut[static_cast<std::size_t>(event)] = true;
  return kept(before(test.execution(), cut, {}));
}

std::vector<EventId> kept_up_to(ExecutionBuilder& test, std::initializer_list<EventId> events) {
  return kept(up_to(test.execution(), std::vector<EventId>(events)));
}

using EventIds = std::vector<EventId>;

/// A copy of x to y, that a thread starts between accesses to z and waits for.
struct Copy : ExecutionBuilder {
  static constexpr std::uint64_t z = 0x300;
  int p0 = thread();
  EventId x0 = initial(x, 4), y0 = initial(y, 4), z0 = initial(z, 4);
  EventId before = write(p0, z, 4, 1), reads = read(p0, x, 4, x0), writes = write(p0, y, 4, 0);
  EventId between = write(p0, z, 4, 2), waits = wait(p0, {}), after = write(p0, z, 4, 3);

  Copy() {
    event(reads).strand = event(writes).strand = 1;
    event(writes).step = event(reads).step;
    event(waits).step += 1;
    event(after).step += 1;
    event(waits).completes = {{1, Bits::boolean(true)}};
  }
};

/// A warp of two threads, at one barrier.
struct Warp : ExecutionBuilder {
  int p0 = thread(), p1 = thread();
  Program by_warp = program();

  Warp() {
    by_warp.arrivals = Arrivals::by_warp;
    execution().program = &by_warp;
  }
  EventId counted(int thread, Barrier::Kind kind, int phase, std::uint64_t count) {
    const EventId id = barrier(thread, kind, 0, phase);
    event(id).barrier.count = Bits(32, count);
    return id;
  }
};

}  // namespace

TEST_CASE("an asynchronous operation that has not ended does not end its thread before the wait") {
  Copy test;
  CHECK(kept_before(test, test.writes) ==
        EventIds{test.x0, test.y0, test.z0, test.before, test.reads, test.between});
  CHECK(kept_before(test, test.before) == EventIds{test.x0, test.y0, test.z0});
  CHECK(kept_before(test, test.after).size() == 8);
  test.event(test.waits).completes.front().only_reads = true;
  CHECK(kept_before(test, test.writes).size() == 8);
  CHECK(kept_before(test, test.reads).size() == 5);
}

TEST_CASE(
    "what an event needs: its thread, the start of its operation, and the initial writes that are used") {
  Copy test;
  CHECK(kept_up_to(test, {test.before}) == EventIds{test.z0, test.before});
  CHECK(kept_up_to(test, {test.reads}) == EventIds{test.x0, test.z0, test.before, test.reads});
  CHECK(kept_up_to(test, {test.between}) == EventIds{test.z0, test.before, test.between});
  CHECK(kept_up_to(test, {test.waits}).size() == 8);
}

TEST_CASE("what an event needs: sources, and the threads at a barrier") {
  ExecutionBuilder test;
  const int p0 = test.thread(), p1 = test.thread({.warp = 1}), p2 = test.thread({.warp = 2});
  const EventId x0 = test.initial(x, 4);
  test.initial(y, 4);
  const EventId x1 = test.write(p0, x, 4, 1), b0 = test.barrier(p0, Barrier::Kind::sync, 0, 0);
  test.write(p0, y, 4, 1);
  const EventId b1 = test.barrier(p1, Barrier::Kind::sync, 0, 0), read = test.read(p1, x, 4, x1);
  const EventId source = test.write(p2, x, 4, 2), last = test.read(p2, x, 4, x1);
  test.execution().endings.assign(3, Ending::Kind::completed);
  const std::vector<EventId> events = {last};
  const Prefix prefix = up_to(test.execution(), events);
  CHECK(kept(prefix) == EventIds{x0, x1, source, last});
  CHECK_FALSE(prefix.execution.endings[0].has_value());
  CHECK(prefix.execution.endings[2] == Ending::Kind::completed);
  // The third thread has exited before the phase ends, so that its events are needed too.
  CHECK(kept_up_to(test, {read}) == EventIds{x0, x1, b0, b1, read, source, last});
}

TEST_CASE("a thread does not pass an exchange that waits for a thread which has stopped before") {
  ExecutionBuilder test;
  std::vector<int> threads;
  for (unsigned i = 0; i < 3; ++i) threads.push_back(test.thread());
  const EventId x0 = test.initial(x, 4);
  std::vector<EventId> first, last;
  std::vector<unsigned> step;  // of the exchange, between the two writes
  for (const int thread : threads) {
    first.push_back(test.write(thread, x, 4, 1));
    step.push_back(test.event(first.back()).step + 1);
    last.push_back(test.write(thread, x, 4, 2));
    test.event(last.back()).step += 1;
  }
  const std::vector<ExchangeOfThread> exchanges = {
      {threads[0], step[0], {{threads[1], step[1]}}, {threads[2]}},
      {threads[1], step[1], {{threads[0], step[0]}}, {threads[2]}}};
  const auto kept_if_stopped = [&](int thread, unsigned at) {
    const std::vector<bool> cut(test.execution().events.size());
    return kept(before(test.execution(), cut, {{thread, at}}, exchanges));
  };
  CHECK(kept_if_stopped(threads[0], step[0]) == EventIds{x0, first[0], first[1], first[2], last[2]});
  CHECK(kept_if_stopped(threads[0], step[0] + 1) ==
        EventIds{x0, first[0], first[1], last[1], first[2], last[2]});
  // The third thread does not exit.
  CHECK(kept_if_stopped(threads[2], step[2] + 1) == EventIds{x0, first[0], first[1], first[2]});
}

// PTX ISA 8.7 § 9.7.13.1: a warp arrives twice in one phase, the second time when its first thread has
// exited.
TEST_CASE("a phase is incomplete without the exit that makes a second arrival of a warp whole") {
  Warp test;
  const EventId first = test.counted(test.p0, Barrier::Kind::arrive, 0, 64);
  const EventId second = test.counted(test.p1, Barrier::Kind::arrive, 0, 64);
  const EventId waits = test.counted(test.p1, Barrier::Kind::sync, 0, 64);
  const EventId behind = test.write(test.p1, x, 4, 1);
  test.execution().endings.assign(2, Ending::Kind::completed);
  const std::vector<bool> none(test.execution().events.size());
  CHECK(kept(before(test.execution(), none, {})) == EventIds{first, second, waits, behind});
  const Prefix prefix = before(test.execution(), none, {{test.p0, test.event(first).step + 1}});
  CHECK(kept(prefix) == EventIds{first, second, waits});
  CHECK(prefix.execution.barrier_phase == std::vector<int>{-1, -1, -1});
  CHECK(kept_up_to(test, {behind}) == EventIds{first, second, waits, behind});
}

// The arrivals of a warp have different thread counts, so they misuse a phase when its first thread exits.
TEST_CASE("a phase is not misused before the exit of a thread that goes on behind a trap") {
  Warp test;
  const EventId first = test.counted(test.p0, Barrier::Kind::arrive, last_misused_phase, 64);
  test.counted(test.p1, Barrier::Kind::arrive, last_misused_phase, 64);
  test.counted(test.p1, Barrier::Kind::sync, last_misused_phase, 96);
  test.execution().endings = {Ending::Kind::trapped, Ending::Kind::waiting};
  const std::vector<bool> none(test.execution().events.size());
  const Prefix prefix = before(test.execution(), none, {{test.p0, test.event(first).step + 1}});
  CHECK(prefix.execution.barrier_phase == std::vector<int>{-1, -1, -1});
  test.execution().endings.front() = Ending::Kind::waiting;  // the phase is misused without its exit
  CHECK(before(test.execution(), none, {{test.p0, test.event(first).step + 1}}).execution.barrier_phase ==
        std::vector<int>{-2, -2, -2});
}
