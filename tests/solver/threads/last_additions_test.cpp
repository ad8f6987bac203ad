// Counters whose last addition is known by what it reads: PTX ISA 8.7 § 8.10.4 (no values out of thin air).
#include "solver/threads/last_additions.hpp"

#include <doctest/doctest.h>

#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr std::uint64_t tally = 0x100, tally_flag = 0x1000;
constexpr std::uint32_t before_all = 5, last_value = before_all + 2 * 3;

/// Four CTAs of eight threads, of which thread 0 of each adds 2 to a counter that is 5 at first.
class Tallying : public OpenEvents {
 public:
  Tallying() : OpenEvents(8, 4) {
    memory(tally, 4, false, true);
    memory(tally_flag, 4, true, false);
    thread().initial_values[{tally, 4}] = Bits(32, before_all);
    added_ = atomic_add(Bits(64, tally), 2);
    for (std::size_t i = added_; i < added_ + 2; ++i) events()[i].condition = is_thread(0);
  }
  Bits is_thread(std::uint32_t number) { return equal(thread().tid[0], Bits(32, number)); }
  /// What the addition has read.
  const Bits& value() { return events()[added_].value; }
  Event& added() { return events()[added_ + 1]; }
  Bits has_read(std::uint32_t one) { return is_thread(0) & equal(value(), Bits(32, one)); }
  void reset_if(const Bits& condition) { write(Bits(64, tally), Bits(32, 0)).condition = condition; }
  /// Thread 0 tells its CTA whether it has read this value; returns the condition that a thread reads that.
  Bits tell(std::uint32_t one) {
    write(Bits(64, tally_flag), equal(value(), Bits(32, one)).zero_extend(32)).condition = is_thread(0);
    barrier();
    return ~equal(read(Bits(64, tally_flag)).value, Bits(32, 0));
  }
  std::vector<FullCounter> find() {
    const auto counters = assume_counters(questions());
    return find_last_additions(questions(), counters, find_broadcasts(questions()));
  }

 private:
  std::size_t added_ = 0;
};

}  // namespace

TEST_CASE("the last addition is known by what it reads") {
  Tallying threads;
  const auto found = threads.find();
  REQUIRE(found.size() == 1);
  CHECK(found.front().resets.empty());
  CHECK(threads.questions().never(found.front().is_full & ~equal(threads.value(), Bits(32, last_value))));
  CHECK_FALSE(threads.questions().never(threads.is_thread(0) & found.front().is_full));
}

TEST_CASE("all threads that may add are counted") {
  Tallying threads;
  for (Event& event : threads.events())
    event.condition = less_unsigned(threads.thread().tid[0], Bits(32, 4));  // 16 threads of the launch
  const auto found = threads.find();
  REQUIRE(found.size() == 1);
  const auto is_full = [&](std::uint32_t read) {
    Substitution values;
    values.set(threads.value().term()->variable, Bits(32, read));
    return values.apply(found.front().is_full);
  };
  CHECK(is_full(before_all + 2 * 15).is_true());
  CHECK(is_full(before_all + 2 * 14).is_false());
}

TEST_CASE("a thread that has added last may write anything to the counter, also if it was told") {
  Tallying own;
  own.reset_if(own.has_read(last_value));
  REQUIRE(own.find().size() == 1);
  CHECK(own.find().front().resets == std::vector<const Event*>{&own.events().back()});

  Tallying told;
  const Bits is_told = told.tell(last_value);
  told.reset_if(told.is_thread(3) & is_told);
  CHECK(told.find().size() == 1);
}

TEST_CASE("additions that a reset follows read different values, up to the last one") {
  Tallying threads;
  threads.reset_if(threads.has_read(last_value));
  OpenQuestions& questions = threads.questions();
  const auto both_last = [&] {
    return threads.has_read(last_value) &
           questions.pair(Neighbours::across_ctas)->other(threads.has_read(last_value));
  };
  CHECK_FALSE(questions.never(Neighbours::across_ctas, both_last()));
  CHECK_FALSE(questions.never(threads.has_read(last_value + 1)));
  REQUIRE(threads.find().size() == 1);
  CHECK(questions.never(Neighbours::across_ctas, both_last()));
  CHECK(questions.never(threads.has_read(last_value + 1)));
  CHECK(questions.never(threads.has_read(before_all - 1)));
  CHECK_FALSE(questions.never(threads.has_read(before_all)));
  CHECK_FALSE(questions.never(threads.has_read(last_value)));
}

TEST_CASE("a counter to which a thread writes before all may have added gives no order") {
  Tallying early;
  early.reset_if(early.has_read(last_value - 2));
  CHECK(early.find().empty());

  Tallying told_early;
  told_early.reset_if(told_early.tell(last_value - 2));
  CHECK(told_early.find().empty());

  Tallying by_another;
  const Bits is_told = by_another.tell(last_value);
  by_another.reset_if(by_another.is_thread(1) & ~is_told);
  CHECK(by_another.find().empty());

  Tallying narrow;
  narrow.reset_if(narrow.has_read(last_value));
  narrow.events().back().size = 2;
  CHECK(narrow.find().empty());

  Tallying anywhere;  // the address of the write is not known
  anywhere.write(Bits(64, tally) + anywhere.tid(), Bits(32, 0)).condition = anywhere.has_read(last_value);
  CHECK(anywhere.find().empty());

  Tallying repeated;
  repeated.reset_if(repeated.has_read(last_value));
  const unsigned step = repeated.events().back().step;
  repeated.thread().skipped.push_back({step, step, step + 1});
  CHECK(repeated.find().empty());
}

TEST_CASE("an addition may do something else only to the last value") {
  for (const std::uint32_t one : {last_value, last_value - 2}) {
    CAPTURE(one);
    Tallying threads;
    threads.added().value =
        ite(equal(threads.value(), Bits(32, one)), Bits(32, 0), threads.value() + Bits(32, 2));
    threads.added().combines = Combination::none;
    CHECK(threads.find().size() == (one == last_value ? 1 : 0));
  }
}

TEST_CASE("additions that are not morally strong, or that a thread may repeat, are not counted") {
  Tallying narrow;
  for (Event& event : narrow.events()) event.access.scope = Scope::cta;
  CHECK(narrow.find().empty());

  Tallying repeated;
  repeated.thread().skipped.push_back({1, 1, 2});
  CHECK(repeated.find().empty());

  Tallying twice;
  twice.atomic_add(Bits(64, tally), 2);
  CHECK(twice.find().empty());
}
