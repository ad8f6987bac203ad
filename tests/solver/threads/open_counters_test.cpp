// What is assumed of counters: PTX ISA 8.7 § 8.10.3 (atomicity), § 8.10.4 (no values out of thin air).
#include "solver/threads/open_counters.hpp"

#include <doctest/doctest.h>

#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr std::uint64_t counter = 0x100;

/// 64 threads in each of some CTAs, and a counter in global memory that is 5 at first.
class Counting : public OpenEvents {
 public:
  explicit Counting(std::uint32_t ctas = 1) : OpenEvents(64, ctas) {
    memory(counter, 4, false, true);
    thread().initial_values[{counter, 4}] = Bits(32, 5);
  }
  void count(Scope scope = Scope::gpu, std::uint32_t amount = 2) {
    number_ = atomic_add(Bits(64, counter), amount, scope);
  }
  /// Whether two threads with this relation never read the same value.
  bool are_different(Neighbours relation) {
    OpenQuestions& asked = with_counters();
    return asked.never(relation, equal(value(), asked.pair(relation)->other(value())));
  }
  /// Whether no thread reads this value.
  bool excludes(std::uint32_t one) { return with_counters().never(equal(value(), Bits(32, one))); }

 private:
  OpenQuestions& with_counters() {
    if (!are_assumed_) assume_counters(questions());
    are_assumed_ = true;
    return questions();
  }
  const Bits& value() { return events()[number_].value; }

  std::size_t number_ = 0;
  bool are_assumed_ = false;
};

}  // namespace

TEST_CASE("atomic additions to a counter read different values, between the first and the last") {
  Counting threads(2);
  threads.count();
  CHECK(threads.are_different(Neighbours::in_cta));
  CHECK(threads.are_different(Neighbours::across_ctas));
  CHECK(threads.excludes(4));
  CHECK_FALSE(threads.excludes(5));
  CHECK_FALSE(threads.excludes(5 + 2 * 127));
  CHECK(threads.excludes(5 + 2 * 127 + 1));
}

TEST_CASE("additions that a thread may repeat are no counter") {
  Counting threads(2);
  threads.count();
  threads.thread().skipped.push_back({1, 1, 3});
  CHECK_FALSE(threads.excludes(4));
  CHECK_FALSE(threads.excludes(5 + 2 * 127 + 1));
}

TEST_CASE("additions that are not morally strong with each other may read the same value") {
  Counting threads(2);
  threads.count(Scope::cta);
  CHECK_FALSE(threads.are_different(Neighbours::across_ctas));
  Counting one_cta(1);
  one_cta.count(Scope::cta);
  CHECK(one_cta.are_different(Neighbours::in_cta));
}

TEST_CASE("nothing is assumed of a place to which threads write something else") {
  Counting overwritten;
  overwritten.count();
  overwritten.write(Bits(64, counter), Bits(32, 0));
  CHECK_FALSE(overwritten.are_different(Neighbours::in_cta));
  CHECK_FALSE(overwritten.excludes(4));

  Counting doubled;
  doubled.count();
  doubled.events().back().value = doubled.events().front().value + doubled.events().front().value;
  CHECK_FALSE(doubled.are_different(Neighbours::in_cta));

  Counting overlapped;
  overlapped.count();
  overlapped.write(Bits(64, counter + 2), Bits(32, 0));
  CHECK_FALSE(overlapped.are_different(Neighbours::in_cta));
}

TEST_CASE("nothing is assumed of a sum that may wrap around") {
  Counting threads;
  threads.count(Scope::gpu, 1U << 25);  // 64 of them are 2^31
  CHECK_FALSE(threads.are_different(Neighbours::in_cta));
  Counting less;
  less.count(Scope::gpu, (1U << 25) - 1);
  CHECK(less.are_different(Neighbours::in_cta));
}

TEST_CASE("nothing is assumed of a counter in shared memory") {
  Counting threads;
  threads.thread().memory.front().is_shared = true;
  threads.count();
  CHECK_FALSE(threads.are_different(Neighbours::in_cta));
}
