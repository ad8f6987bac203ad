#include "model/program/phases.hpp"

#include <doctest/doctest.h>

#include "tests/model/executions.hpp"

using namespace ptxmc;

namespace {

using enum Barrier::Kind;
constexpr Barrier::Kind synchronize = Barrier::Kind::sync;  // the name alone is POSIX's
constexpr int never = -1;

/// An execution of threads that come to barriers, all of one CTA.
class Barriers : public ExecutionBuilder {
 public:
  explicit Barriers(int threads) {
    for (int i = 0; i < threads; ++i) thread({.warp = i});
  }

  EventId add(int thread, Barrier::Kind kind, std::uint64_t id, int phase,
              std::optional<unsigned> count = {}) {
    const EventId added = barrier(thread, kind, id, phase);
    if (count) event(added).barrier.count = Bits(32, *count);
    return added;
  }

  /// All threads run to their ends, or wait for ever.
  std::vector<std::string> mistakes(std::vector<Ending::Kind> endings) {
    execution().endings.assign(endings.begin(), endings.end());
    return malformed_phases(execution());
  }
};

constexpr Ending::Kind completed = Ending::Kind::completed, waiting = Ending::Kind::waiting;

/// An execution of a launch of one CTA: by thread, the number of its warp.
class Launch : public ExecutionBuilder {
 public:
  explicit Launch(const std::vector<int>& warps) {
    for (const int warp : warps) thread({.warp = warp});
    program_ = program();
    program_.arrivals = Arrivals::by_warp;
    execution().program = &program_;
  }

  Event& add(int thread, Barrier::Kind kind, std::optional<unsigned> count, std::uint64_t id = 0) {
    Event& added = event(barrier(thread, kind, id, never));
    if (count) added.barrier.count = Bits(32, *count);
    return added;
  }

  bool is_accepted(std::vector<std::optional<Ending::Kind>> endings, std::vector<int> phases) {
    execution().endings = std::move(endings);
    execution().barrier_phase = std::move(phases);
    return malformed_phases(execution()).empty();
  }

 private:
  Program program_;
};

}  // namespace

// PTX ISA 8.7 § 9.7.13.1: the barrier is complete when all participating threads have arrived.
TEST_CASE("phases without a count") {
  Barriers test(2);
  test.add(0, synchronize, 0, 0);
  test.add(0, synchronize, 0, 1);
  test.add(1, synchronize, 0, 0);
  test.add(1, synchronize, 0, 1);
  CHECK(test.mistakes({completed, completed}).empty());
  CHECK(malformed_phases(test.execution()).empty());
}

TEST_CASE("an awaited thread has neither arrived nor exited") {
  Barriers test(2);
  test.add(0, synchronize, 0, 0);
  test.add(0, synchronize, 0, 1);
  test.add(1, synchronize, 0, 0);
  test.add(1, synchronize, 1, never, 2);
  CHECK(test.mistakes({completed, waiting}) ==
        std::vector<std::string>{"the phase of event 1 never becomes complete"});
}

TEST_CASE("a thread that has exited is not waited for") {
  Barriers test(2);
  test.add(0, synchronize, 0, 0);
  test.add(0, synchronize, 0, 1);
  test.add(1, synchronize, 0, 0);
  CHECK(test.mistakes({completed, completed}).empty());
  CHECK_FALSE(test.mistakes({completed, Ending::Kind::spinning}).empty());
}

TEST_CASE("a phase leaves out an arrival that it waits for") {
  Barriers test(2);
  test.add(0, synchronize, 0, 0);
  test.add(1, synchronize, 0, 1);
  CHECK_FALSE(test.mistakes({completed, completed}).empty());
}

TEST_CASE("a thread waits for ever at a phase that is complete") {
  Barriers test(2);
  test.add(0, synchronize, 0, never);
  test.add(1, synchronize, 0, never);
  CHECK(test.mistakes({waiting, waiting}) ==
        std::vector<std::string>{"event 0 waits for ever at a phase that is complete"});
}

TEST_CASE("a thread is at two arrivals of one phase") {
  Barriers test(2);
  test.add(0, synchronize, 0, 0, 2);
  test.add(0, synchronize, 0, 0, 2);
  CHECK_FALSE(test.mistakes({completed, completed}).empty());
}

TEST_CASE("phases with a count have so many arrivals") {
  for (const unsigned count : {1U, 2U, 3U}) {
    CAPTURE(count);
    Barriers test(3);
    test.add(0, arrive, 0, 0, count);
    test.add(1, synchronize, 0, 0, count);
    CHECK(test.mistakes({completed, completed, completed}).empty() == (count == 2));
  }
}

TEST_CASE("arrivals of one phase have one count") {
  Barriers test(2);
  test.add(0, synchronize, 0, 0, 2);
  test.add(1, synchronize, 0, 0, 3);
  CHECK_FALSE(test.mistakes({completed, completed}).empty());
}

TEST_CASE("enough arrivals with a count do not wait for ever") {
  Barriers test(3);
  test.add(0, synchronize, 0, 0, 2);
  test.add(1, synchronize, 0, 0, 2);
  test.add(2, synchronize, 0, never, 2);
  CHECK(test.mistakes({completed, completed, waiting}).empty());
  test.execution().barrier_phase = {never, never, never};
  CHECK_FALSE(test.mistakes({waiting, waiting, waiting}).empty());
}

TEST_CASE("phases follow program order") {
  for (const bool crosses : {false, true}) {
    CAPTURE(crosses);
    Barriers test(2);
    test.add(0, synchronize, 0, 0, 2);
    test.add(0, synchronize, 1, 1, 2);
    test.add(1, synchronize, crosses ? 1 : 0, crosses ? 1 : 0, 2);
    test.add(1, synchronize, crosses ? 0 : 1, crosses ? 0 : 1, 2);
    CHECK(test.mistakes({completed, completed}).empty() == !crosses);
  }
}

// The first arrival fills the phase that ends first, whichever that is: here the one with the later number.
TEST_CASE("the order of phases is found") {
  Barriers test(3);
  test.add(0, synchronize, 0, 1, 2);
  test.add(0, synchronize, 1, 2, 2);
  test.add(1, synchronize, 0, 0, 2);
  test.add(2, synchronize, 0, 1, 2);
  test.add(2, synchronize, 1, 2, 2);
  test.add(2, synchronize, 0, 0, 2);
  CHECK(test.mistakes({completed, completed, completed}).empty());
}

// § 9.7.13.1: a warp counts as 32 threads, once all of its threads are there that have not exited.
TEST_CASE("in a launch warps arrive") {
  for (const unsigned count : {32U, 64U}) {
    CAPTURE(count);
    ExecutionBuilder test;
    for (int i = 0; i < 4; ++i) test.thread({.warp = i / 2});
    test.execution().endings.assign(4, completed);
    Program program = test.program();
    program.arrivals = Arrivals::by_warp;
    test.execution().program = &program;
    for (int i = 0; i < 4; ++i) {
      const EventId id = test.barrier(i, synchronize, 0, count == 64 ? 0 : i / 2);
      test.event(id).barrier.count = Bits(32, count);
    }
    CHECK(malformed_phases(test.execution()).empty());
    test.execution().barrier_phase = {0, 1, 0, 1};  // half a warp each
    CHECK_FALSE(malformed_phases(test.execution()).empty());
  }
}

// § 9.7.13.1: the warps that meet use the same thread count. BarrierPhase::is_misused has the rule.
TEST_CASE("a misused phase of a launch") {
  constexpr int misused = last_misused_phase;
  Barriers test(3);
  Program program = test.program();
  program.arrivals = Arrivals::by_warp;
  test.execution().program = &program;
  const auto is_accepted = [&](std::vector<Ending::Kind> endings, std::vector<int> phases) {
    test.execution().barrier_phase = std::move(phases);
    return test.mistakes(std::move(endings)).empty();
  };
  SUBCASE("has different counts") {
    test.add(0, synchronize, 0, never, 64);
    test.add(1, synchronize, 0, never, 32);
    CHECK(is_accepted({waiting, waiting, completed}, {misused, misused}));
    CHECK(is_accepted({waiting, completed, completed}, {never, 0}));  // the second warp is alone
    CHECK_FALSE(is_accepted({waiting, waiting, completed}, {never, never}));
    CHECK_FALSE(is_accepted({completed, completed, completed}, {0, 0}));
  }
  SUBCASE("has the arrivals up to the misuse") {
    test.add(0, arrive, 0, never, 64);
    test.add(1, arrive, 0, never, 64);
    test.add(2, arrive, 0, never, 32);
    CHECK(is_accepted({completed, completed, completed}, {misused, never, misused}));
    CHECK(is_accepted({completed, completed, completed}, {0, 0, 1}));
    CHECK_FALSE(is_accepted({completed, completed, completed}, {misused, misused, never}));
    CHECK_FALSE(is_accepted({completed, completed, completed}, {misused, misused, misused}));
  }
  SUBCASE("is misused by its last arrival, of any warp") {
    test.add(0, arrive, 0, never, 96);
    test.add(1, synchronize, 0, never, 64);
    test.add(2, arrive, 0, never, 96);
    CHECK(is_accepted({completed, waiting, completed}, {misused, misused, misused}));
    CHECK(is_accepted({completed, waiting, completed}, {never, misused, misused}));
  }
  SUBCASE("is not misused by a later arrival than one that completes it") {
    test.add(0, arrive, 0, never, 32);
    test.add(0, arrive, 0, never, 64);
    CHECK(is_accepted({completed, completed, completed}, {0, never}));
    CHECK_FALSE(is_accepted({completed, completed, completed}, {misused, misused}));
  }
  SUBCASE("lacks a warp that has exited, and has arrivals with and without a count") {
    test.add(0, synchronize, 0, never);
    test.add(1, synchronize, 0, never, 96);
    CHECK(is_accepted({waiting, waiting, completed}, {misused, misused}));
    CHECK(is_accepted({waiting, waiting, Ending::Kind::spinning}, {never, never}));
    CHECK_FALSE(is_accepted({waiting, waiting, Ending::Kind::spinning}, {misused, misused}));
    CHECK_FALSE(is_accepted({waiting, waiting, completed}, {never, never}));
  }
}

// § 9.7.13.1: a warp executes an aligned barrier as a whole; if its threads diverge they do not arrive.
TEST_CASE("aligned arrivals at which a warp may diverge are no misuse") {
  for (const bool is_one_warp : {true, false}) {
    CAPTURE(is_one_warp);
    ExecutionBuilder test;
    for (int i = 0; i < 2; ++i) test.thread({.warp = is_one_warp ? 0 : i});
    test.execution().endings.assign(2, waiting);
    Program program = test.program();
    program.arrivals = Arrivals::by_warp;
    test.execution().program = &program;
    for (int i = 0; i < 2; ++i) {
      const EventId id = test.barrier(i, synchronize, 0, never);
      test.event(id).barrier.count = Bits(32, i == 0 ? 64 : 96);
      test.event(id).barrier.aligned = true;
    }
    CHECK(malformed_phases(test.execution()).empty() == is_one_warp);
  }
}

// § 9.7.13.1: the thread that exits last makes the arrival of its warp whole. Threads that have arrived
// before go on, so that their next arrival may be there too; it belongs to the next arrival of the warp.
TEST_CASE("a thread goes on behind an arrival that waits for another thread of its warp to exit") {
  constexpr int misused = last_misused_phase;
  Launch test({0, 0, 1});
  const auto add = [&](int thread, Barrier::Kind kind, std::optional<unsigned> count) {
    test.add(thread, kind, count);
  };
  add(0, arrive, 64);
  add(0, synchronize, {});
  add(2, arrive, 64);
  add(2, synchronize, {});
  CHECK(test.is_accepted({completed, completed, completed}, {0, 1, 0, 1}));
  // The second warp arrives twice before the first one, which then stays outside of the phase.
  CHECK(test.is_accepted({waiting, completed, waiting}, {never, never, misused, misused}));
  CHECK_FALSE(test.is_accepted({completed, completed, completed}, {0, 1, 1, 0}));
}

TEST_CASE("a thread goes on although another thread of its warp never arrives") {
  Launch test({0, 0, 1});
  test.add(0, arrive, 64);
  test.add(0, arrive, 64);
  test.add(0, synchronize, 64, 1);
  test.add(1, synchronize, 64, 1);
  test.add(2, synchronize, 64, 1);
  test.add(2, synchronize, 32);
  CHECK(test.is_accepted({completed, Ending::Kind::spinning, completed}, {never, never, 0, 0, 0, 1}));
}

// § 9.7.13.1, .aligned: the threads of the first warp execute different instructions.
TEST_CASE("a warp that has diverged does not arrive any more") {
  Launch test({0, 0, 1, 2});
  Instruction first, second;
  second.where.line = 1;
  for (const int thread : {0, 1}) {
    Event& own = test.add(thread, arrive, 64);
    own.barrier.aligned = true;
    own.instruction = thread == 0 ? &first : &second;
    test.add(thread, arrive, 64);
    test.add(thread, synchronize, 96, 1);
  }
  for (const int thread : {2, 3}) {
    test.add(thread, synchronize, 96, 1);
    test.add(thread, synchronize, 64);
  }
  const std::vector<std::optional<Ending::Kind>> all_end(4, completed);
  CHECK(test.is_accepted(all_end, {never, never, 0, never, never, 0, 0, 1, 0, 1}));
  CHECK_FALSE(test.is_accepted(all_end, {never, 1, 0, never, 1, 0, 0, 1, 0, never}));
  second.where.line = first.where.line;  // without a divergence, these arrivals count
  CHECK_FALSE(test.is_accepted(all_end, {never, never, 0, never, never, 0, 0, 1, 0, 1}));
  CHECK(test.is_accepted(all_end, {1, 1, 0, 1, 1, 0, 0, 2, 0, 2}));
}

// A prefix of an execution does not show the later arrivals of its threads.
TEST_CASE("a warp need not arrive if the ending of one of its threads is unknown") {
  Launch test({0, 0, 1});
  SUBCASE("and misuses no phase") {
    test.add(0, arrive, 96);
    test.add(2, synchronize, 64);
    CHECK(test.is_accepted({completed, {}, waiting}, {never, never}));
    CHECK_FALSE(test.is_accepted({completed, completed, waiting}, {never, never}));
  }
  SUBCASE("and is in no phase") {
    test.add(0, arrive, 64);
    test.add(0, arrive, 64, 1);
    test.add(1, arrive, 64, 1);
    test.add(2, synchronize, 64, 1);
    test.add(2, synchronize, 32);
    CHECK(test.is_accepted({completed, {}, completed}, {never, 0, 0, 0, 1}));
    // With thread 1, it arrives.
    CHECK_FALSE(test.is_accepted({completed, completed, waiting}, {never, 0, 0, 0, never}));
  }
}

// § 9.7.13.3: barrier.cluster.wait waits for the phase at which the thread has arrived.
TEST_CASE("arrivals and waits of a cluster") {
  Barriers test(2);
  for (int i = 0; i < 2; ++i) {
    test.event(test.add(i, arrive, 0, 0)).barrier.group = Barrier::Group::cluster;
    test.event(test.add(i, wait, 0, 0)).barrier.group = Barrier::Group::cluster;
  }
  CHECK(test.mistakes({completed, completed}).empty());
  test.execution().barrier_phase = {0, 0, 1, 1};
  CHECK_FALSE(test.mistakes({completed, completed}).empty());
}
