#include "semantics/language/mbarrier_state.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

/// The members of an object as numbers.
struct Numbers {
  std::uint64_t pending = 0, expected = 0;
  std::int64_t transactions = 0;
  std::uint64_t phase = 0;
  bool operator==(const Numbers&) const = default;
};

Numbers numbers_of(const MbarrierState& state) {
  return {state.pending.to_u64(), state.expected.to_u64(), state.transactions.to_s64(), state.phase.to_u64()};
}

MbarrierState state_of(const Numbers& numbers) {
  return {.pending = Bits(20, numbers.pending),
          .expected = Bits(20, numbers.expected),
          .transactions = Bits(21, static_cast<std::uint64_t>(numbers.transactions)),
          .phase = Bits(3, numbers.phase)};
}

Bits count(std::uint64_t number) { return {32, number}; }

MbarrierStep arrivals(std::uint64_t number) { return {.arrivals = count(number), .may_complete = true}; }
MbarrierStep completes(std::uint64_t bytes) { return {.completes = count(bytes), .may_complete = true}; }
MbarrierStep expects(std::uint64_t bytes) { return {.expects = count(bytes)}; }

Numbers stepped(const Numbers& before, const MbarrierStep& step) {
  return numbers_of(after(state_of(before), step));
}

}  // namespace

// PTX ISA 8.7 § 9.7.13.15.9.
TEST_CASE("init: phase 0, both counts as given, no transactions") {
  CHECK(numbers_of(initial_mbarrier_state(count(5))) == Numbers{5, 5, 0, 0});
  const std::uint64_t largest = 1048575;
  CHECK(largest_mbarrier_count == largest);
  CHECK(numbers_of(initial_mbarrier_state(count(largest))) == Numbers{largest, largest, 0, 0});
}

TEST_CASE("an object is 64 bits, which hold all its members") {
  for (const Numbers& numbers : {Numbers{1, 2, 3, 4}, Numbers{1048575, 1, -1, 7},
                                 Numbers{0, 1048575, -1048575, 0}, Numbers{7, 9, 1048575, 1}}) {
    const Bits word = word_of(state_of(numbers));
    CHECK(word.width() == 64);
    CHECK(numbers_of(mbarrier_state(word)) == numbers);
  }
}

// § 9.7.13.15.7, § 9.7.13.15.6.
TEST_CASE("arrive-on takes its count from the pending arrivals, and the last one completes the phase") {
  CHECK(stepped({3, 3, 0, 0}, arrivals(1)) == Numbers{2, 3, 0, 0});
  CHECK(stepped({3, 3, 0, 0}, arrivals(2)) == Numbers{1, 3, 0, 0});
  CHECK(stepped({1, 3, 0, 0}, arrivals(1)) == Numbers{3, 3, 0, 1});
  CHECK(stepped({2, 3, 0, 5}, arrivals(2)) == Numbers{3, 3, 0, 6});
}

TEST_CASE("a phase with pending transactions is not complete") {
  CHECK(stepped({1, 3, 16, 0}, arrivals(1)) == Numbers{0, 3, 16, 0});
  CHECK(stepped({1, 3, -16, 0}, arrivals(1)) == Numbers{0, 3, -16, 0});
}

// § 9.7.13.15.5.2.
TEST_CASE("complete-tx takes bytes from the tx-count and completes the phase when no arrival is pending") {
  CHECK(stepped({0, 3, 16, 0}, completes(8)) == Numbers{0, 3, 8, 0});
  CHECK(stepped({0, 3, 16, 0}, completes(16)) == Numbers{3, 3, 0, 1});
  CHECK(stepped({1, 3, 16, 0}, completes(16)) == Numbers{1, 3, 0, 0});
}

// § 9.7.13.15.2: the tx-count is from -(2^20 - 1) to 2^20 - 1.
TEST_CASE("bytes may be complete before they are expected") {
  const Numbers early = stepped({1, 1, 0, 0}, completes(16));
  CHECK(early == Numbers{1, 1, -16, 0});
  const MbarrierStep arrive_and_expect{.expects = count(16), .arrivals = count(1), .may_complete = true};
  CHECK(stepped(early, arrive_and_expect) == Numbers{1, 1, 0, 1});
}

// § 9.7.13.15.5.1: an expect-tx raises the tx-count. It has no completing step.
TEST_CASE("expect-tx completes no phase") {
  CHECK(stepped({0, 3, -16, 0}, expects(16)) == Numbers{0, 3, 0, 0});
  CHECK(stepped({2, 3, 0, 0}, expects(16)) == Numbers{2, 3, 16, 0});
  CHECK(completes_phase(state_of({0, 3, -16, 0}), expects(16)).is_false());
}

// § 9.7.13.15.13: the expect-tx of an arrive.expect_tx precedes its arrive-on.
TEST_CASE("the arrival that expects bytes does not complete their phase") {
  const MbarrierStep step{.expects = count(16), .arrivals = count(1), .may_complete = true};
  CHECK(stepped({1, 3, 0, 0}, step) == Numbers{0, 3, 16, 0});
}

// § 9.7.13.15.14.
TEST_CASE("arrive_drop lowers the count of all later phases") {
  const MbarrierStep drop{.drops = count(1), .arrivals = count(1), .may_complete = true};
  CHECK(stepped({3, 3, 0, 0}, drop) == Numbers{2, 2, 0, 0});
  CHECK(stepped({1, 3, 0, 0}, drop) == Numbers{2, 2, 0, 1});
  const MbarrierStep of_two{.drops = count(2), .arrivals = count(2), .may_complete = true};
  CHECK(stepped({2, 3, 0, 0}, of_two) == Numbers{1, 1, 0, 1});
  CHECK(stepped({1, 1, 0, 0}, drop) == Numbers{0, 0, 0, 1});
}

// § 9.7.13.15.15: the increment of a cp.async.mbarrier.arrive without .noinc.
TEST_CASE("an increment adds to the pending arrivals of this phase alone") {
  CHECK(stepped({1, 3, 0, 0}, {.increments = count(1)}) == Numbers{2, 3, 0, 0});
}

TEST_CASE("phases are counted modulo 8") { CHECK(stepped({1, 1, 0, 7}, arrivals(1)).phase == 0); }

// § 9.7.13.15.2.
TEST_CASE("the range of the tx-count") {
  const auto is_valid = [](std::int64_t transactions, const MbarrierStep& step) {
    const Bits valid = has_valid_transactions(state_of({1, 1, transactions, 0}), step);
    REQUIRE(valid.is_constant());
    return valid.is_true();
  };
  CHECK(is_valid(0, expects(1048575)));
  CHECK_FALSE(is_valid(0, expects(1048576)));
  CHECK_FALSE(is_valid(1, expects(1048575)));
  CHECK(is_valid(-1, expects(1048576)));
  CHECK(is_valid(0, completes(1048575)));
  CHECK_FALSE(is_valid(0, completes(1048576)));
  CHECK_FALSE(is_valid(-1, completes(1048575)));
  CHECK_FALSE(is_valid(1048575, expects(0xffffffff)));
  CHECK_FALSE(is_valid(-1048575, completes(0xffffffff)));
}

TEST_CASE("a step of an unknown object agrees with the step of each known one") {
  TermGraph graph;
  const Bits word = graph.variable(64, "object");
  const MbarrierStep step{.expects = count(8),
                          .drops = count(1),
                          .arrivals = count(1),
                          .completes = count(8),
                          .may_complete = true};
  const Bits next = word_of(after(mbarrier_state(word), step));
  CHECK_FALSE(next.is_constant());
  for (const Numbers& numbers :
       {Numbers{1, 2, 0, 0}, Numbers{2, 2, 0, 7}, Numbers{1, 3, -8, 1}, Numbers{1, 1, 8, 0}}) {
    Substitution known;
    known.set(0, word_of(state_of(numbers)));
    CHECK(numbers_of(mbarrier_state(known.apply(next))) == stepped(numbers, step));
  }
}
