#include "model/program/misuses.hpp"

#include <doctest/doctest.h>

#include <deque>

#include "tests/model/executions.hpp"

using namespace ptxmc;

namespace {

using enum Barrier::Kind;
constexpr Barrier::Kind synchronizes = Barrier::Kind::sync;  // the name alone is POSIX's
constexpr Ending::Kind has_completed = Ending::Kind::completed, undefined = Ending::Kind::undefined;

/// An execution of two threads of one warp and a thread of another one, at aligned barriers of their CTA.
class TwoWarps : public ExecutionBuilder {
 public:
  TwoWarps() {
    thread({.warp = 0});
    thread({.warp = 0});
    thread({.warp = 1});
  }

  EventId at_line(int thread, std::uint32_t line, int phase = -1, Barrier::Kind kind = synchronizes) {
    const EventId added = barrier(thread, kind, 0, phase);
    instructions_.emplace_back().where = {line, 1};
    event(added).instruction = &instructions_.back();
    event(added).barrier.aligned = true;
    return added;
  }

  EventId at_cluster_barrier(int thread, Barrier::Kind kind) {
    const EventId added = barrier(thread, kind, 0, 0);
    event(added).barrier.group = Barrier::Group::cluster;
    return added;
  }

  bool is_refused(int thread, const ObjectUse& use) {
    execution().endings.assign(3, has_completed);
    execution().endings[static_cast<std::size_t>(thread)] = undefined;
    execution().undefined_uses[thread] = use;
    return !malformed_uses(execution()).empty();
  }

 private:
  std::deque<Instruction> instructions_;
};

}  // namespace

// PTX ISA 8.7 § 9.7.13.1: all threads of a warp execute the same aligned barrier.
TEST_CASE("the threads of a warp are at two aligned barriers") {
  TwoWarps test;
  test.at_line(0, 5);
  const EventId here = test.at_line(0, 7);
  test.at_line(1, 5);
  SUBCASE("of different lines") {
    const EventId there = test.at_line(1, 8);
    const auto absentee = divergence_at(test.execution(), here);
    REQUIRE(absentee);
    CHECK(absentee->thread == 1);
    CHECK(absentee->barrier == there);
  }
  SUBCASE("of one line") {
    test.at_line(1, 7);
    test.at_line(2, 9);  // of another warp
    CHECK(!divergence_at(test.execution(), here));
  }
  SUBCASE("one of them has exited") {
    CHECK(!divergence_at(test.execution(), here));  // it may still arrive
    test.execution().endings.assign(3, has_completed);
    const auto absentee = divergence_at(test.execution(), here);
    REQUIRE(absentee);
    CHECK(absentee->thread == 1);
    CHECK(absentee->barrier < 0);
  }
}

TEST_CASE("a warp arrives with an aligned and another barrier") {
  TwoWarps test;
  const EventId here = test.at_line(0, 5), there = test.at_line(1, 6);
  test.event(there).barrier.aligned = false;
  const auto absentee = divergence_at(test.execution(), here);
  REQUIRE(absentee);
  CHECK(absentee->barrier == there);
  test.event(there).barrier.id = Bits(32, 3);
  CHECK(!divergence_at(test.execution(), here));
}

// § 9.7.13.1: "barrier.red should not be intermixed with barrier.sync using the same active barrier".
TEST_CASE("a reduction and another arrival, in one phase and in two") {
  TwoWarps test;
  const EventId reduction = test.at_line(0, 5, 0, reduce_or), other = test.at_line(2, 6, 0);
  CHECK(misuse_in_phase(test.execution(), reduction, other) == Misuse::reduction_beside_others);
  test.execution().barrier_phase[static_cast<std::size_t>(other)] = 1;
  CHECK(!misuse_in_phase(test.execution(), reduction, other));
}

// § 9.7.13.1: warps that meet use the same thread count.
TEST_CASE("different thread counts in a misused phase, and in two phases") {
  TwoWarps test;
  const EventId first = test.at_line(0, 5, last_misused_phase),
                second = test.at_line(2, 6, last_misused_phase);
  CHECK(!misuse_in_phase(test.execution(), first, second));
  test.event(first).barrier.count = Bits(32, 64);
  CHECK(misuse_in_phase(test.execution(), first, second) == Misuse::different_thread_counts);
  test.event(second).barrier.count = Bits(32, 64);
  CHECK(!misuse_in_phase(test.execution(), first, second));
  test.event(second).barrier.count = Bits(32, 32);
  CHECK(misuse_in_phase(test.execution(), first, second) == Misuse::different_thread_counts);
  test.execution().barrier_phase[static_cast<std::size_t>(second)] = -1;
  CHECK(!misuse_in_phase(test.execution(), first, second));
}

// § 9.7.13.2, § 9.7.13.3.
TEST_CASE("a thread ends with a use that the judge finds defined") {
  TwoWarps test;
  SUBCASE("lanes of a membermask") {
    CHECK_FALSE(test.is_refused(0, use_of_lanes(Bits(32, 0b10), 0)));
    CHECK(test.is_refused(0, use_of_lanes(Bits(32, 0b11), 0)));
    CHECK(test.is_refused(0, use_of_lanes(Bits(32, 0b01), 1)));  // its lane is 0
  }
  SUBCASE("the barrier of the cluster") {
    const ObjectUse arrival = {.object = ObjectUse::Object::cluster_barrier, .kind = arrive};
    CHECK(test.is_refused(0, arrival));
    test.at_cluster_barrier(0, arrive);
    CHECK_FALSE(test.is_refused(0, arrival));
    test.at_cluster_barrier(0, wait);
    CHECK(test.is_refused(0, arrival));
  }
}

// § 9.7.13.15: a use of an mbarrier is of the value that the thread has read last.
TEST_CASE("a thread ends with a use of an mbarrier") {
  TwoWarps test;
  const auto object = [](std::uint64_t pending) {
    MbarrierState state = initial_mbarrier_state(Bits(32, 2));
    state.pending = Bits(MbarrierState::count_width, pending);
    return word_of(state);
  };
  const auto arrival_at = [&](std::uint64_t pending) {
    return use_of(MbarrierUse{.word = object(pending), .step = {.arrivals = Bits(32, 2)}});
  };
  const auto none_pending = static_cast<std::uint64_t>(object(0).value());
  const EventId write = test.initial(0, 8, none_pending);
  SUBCASE("a count that no object has") {
    CHECK_FALSE(
        test.is_refused(0, use_of(MbarrierUse{.step = {.arrivals = Bits(32, 0)}, .counts_arrivals = true})));
    CHECK(
        test.is_refused(0, use_of(MbarrierUse{.step = {.arrivals = Bits(32, 1)}, .counts_arrivals = true})));
  }
  SUBCASE("the object was read") {
    test.read(0, 0, 8, write, {.mbarrier = MbarrierAccess::operation});
    CHECK_FALSE(test.is_refused(0, arrival_at(0)));
    CHECK(test.is_refused(0, arrival_at(1)));  // another value
    CHECK(test.is_refused(1, arrival_at(0)));  // another thread
  }
  SUBCASE("what was read last is no object") {
    test.read(0, 0, 8, write);
    CHECK(test.is_refused(0, arrival_at(0)));
  }
  SUBCASE("the use is defined") {
    const EventId two_pending = test.read(0, 0, 8, write, {.mbarrier = MbarrierAccess::operation});
    test.event(two_pending).value = object(2);
    CHECK(test.is_refused(0, arrival_at(2)));
  }
}
