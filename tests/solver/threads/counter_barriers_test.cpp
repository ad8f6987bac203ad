// Barriers that threads build from a counter: PTX ISA 8.7 § 8.9.2 (an addition observes all earlier ones),
// § 8.10.3 (atomicity).
#include "solver/threads/counter_barriers.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "solver/threads/counter_order.hpp"
#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr std::uint64_t meeting_place = 0x100;

/// Four CTAs of eight threads. Thread 0 of each adds to a counter that is 0 at first, and polls it.
class Meeting : public OpenEvents {
 public:
  using Goes = std::function<Bits(const Bits& value)>;

  Meeting() : OpenEvents(8, 4) {
    memory(meeting_place, 4, false, true);
    thread().initial_values[{meeting_place, 4}] = Bits(32, 0);
    thread().structure.endings.resize(1);
    path_ = equal(thread().tid[0], Bits(32, 0));
  }

  void add(std::uint32_t amount = 1, Scope scope = Scope::gpu) {
    const std::size_t number = atomic_add(Bits(64, meeting_place), amount, scope);
    for (std::size_t i = number; i < number + 2; ++i) events()[i].condition = path_;
  }
  /// The thread polls the counter as long as its value does not satisfy the condition.
  void wait_until(const Goes& is_over, Scope scope = Scope::gpu) {
    Event& poll = read(Bits(64, meeting_place));
    poll.access.sem = Sem::acquire;
    poll.access.scope = scope;
    poll.condition = path_;
    Ending& spinning = thread().structure.endings.front().emplace_back();
    spinning.kind = Ending::Kind::spinning;
    spinning.first_step = poll.step;
    spinning.condition = path_ & ~is_over(poll.value);
    path_ = path_ & is_over(poll.value);
  }
  void wait_for(std::uint32_t least) {
    wait_until([&](const Bits& value) { return less_equal_unsigned(Bits(32, least), value); });
  }
  void happens_only_in(std::uint32_t cta) { path_ = path_ & equal(thread().ctaid[0], Bits(32, cta)); }
  void is_done_by_all() { path_ = Bits::boolean(true); }

  std::vector<FullCounter> end_waits() { return end_waits_at_counters(thread(), {}, graph()); }
  bool may_wait_for_ever() {
    for (const Ending& ending : thread().structure.endings.front())
      if (!ending.condition.is_false()) return true;
    return false;
  }

 private:
  Bits path_;
};

}  // namespace

TEST_CASE("a wait until all CTAs have added ends, and says that they have") {
  Meeting threads;
  threads.add();
  threads.wait_for(4);
  Event& behind = threads.write(Bits(64, meeting_place + 0x100), Bits(32, 1));
  behind.condition =
      threads.events()[2].condition & less_equal_unsigned(Bits(32, 4), threads.events()[2].value);
  const auto waits = threads.end_waits();
  REQUIRE(waits.size() == 1);
  CHECK(waits.front().read == &threads.events()[0]);
  CHECK(waits.front().observing == &threads.events()[2]);
  CHECK(waits.front().is_full.is_true());
  CHECK_FALSE(threads.may_wait_for_ever());
  CHECK(identical(threads.events()[3].condition, threads.events()[0].condition));
}

TEST_CASE("a wait for fewer additions says nothing, and a wait for more does not end") {
  for (const std::uint32_t enough : {3U, 5U}) {
    CAPTURE(enough);
    Meeting threads;
    threads.add();
    threads.wait_for(enough);
    CHECK(threads.end_waits().empty());
    CHECK(threads.may_wait_for_ever());
  }
}

TEST_CASE("all threads of all CTAs may add") {
  for (const std::uint32_t enough : {31U, 32U}) {
    CAPTURE(enough);
    Meeting threads;
    threads.is_done_by_all();
    threads.add();
    threads.wait_for(enough);
    CHECK(threads.end_waits().size() == (enough == 32 ? 1 : 0));
  }
}

TEST_CASE("a counter serves several barriers if threads that are ahead do not hold others up") {
  Meeting in_turn;
  in_turn.add();
  in_turn.wait_for(4);
  in_turn.add();
  in_turn.wait_for(8);
  CHECK(in_turn.end_waits().size() == 2);

  Meeting missed;  // another CTA may have added for the second barrier
  missed.add();
  missed.wait_until([](const Bits& value) { return equal(value, Bits(32, 4)); });
  missed.add();
  missed.wait_until([](const Bits& value) { return equal(value, Bits(32, 8)); });
  CHECK(missed.end_waits().empty());

  Meeting last_alone;
  last_alone.add();
  last_alone.wait_until([](const Bits& value) { return equal(value, Bits(32, 4)); });
  CHECK(last_alone.end_waits().size() == 1);
}

TEST_CASE("threads that may be ahead by two barriers are not in turn") {
  Meeting threads;
  threads.add();
  threads.wait_for(4);
  threads.add();
  threads.add();
  CHECK(threads.end_waits().empty());
  CHECK(threads.may_wait_for_ever());
}

TEST_CASE("what does not synchronize all CTAs is no barrier") {
  Meeting of_one_cta;
  of_one_cta.add(1, Scope::cta);
  of_one_cta.wait_for(4);
  CHECK(of_one_cta.end_waits().empty());

  Meeting polled_in_cta;
  polled_in_cta.add();
  polled_in_cta.wait_until([](const Bits& value) { return equal(value, Bits(32, 4)); }, Scope::cta);
  CHECK(polled_in_cta.end_waits().empty());

  Meeting without_others;
  without_others.happens_only_in(2);
  without_others.add();
  without_others.wait_for(1);
  CHECK(without_others.end_waits().empty());

  Meeting overwritten;
  overwritten.add();
  overwritten.wait_for(4);
  overwritten.write(Bits(64, meeting_place), Bits(32, 0));
  CHECK(overwritten.end_waits().empty());

  Meeting before;  // the thread waits before it adds
  before.wait_for(4);
  before.add();
  CHECK(before.end_waits().empty());
}

TEST_CASE("barriers of the CTA extend the order of a counter to all threads") {
  Meeting threads;
  threads.barrier();
  threads.add();
  threads.wait_for(4);
  threads.barrier();
  const auto waits = threads.end_waits();
  const auto orders = counter_orders(threads.questions(), waits, {});
  REQUIRE(orders.size() == 2);  // the second one is that of fence.sc
  const CounterOrder& order = orders.front();
  const unsigned first = threads.events().front().step, last = threads.events().back().step;
  CHECK(order.tells(first - 1).is_true());
  CHECK_FALSE(order.tells(first + 1).is_true());
  CHECK(order.knows_of_all(last + 1).is_true());
  CHECK_FALSE(order.knows_of_all(last).is_true());
}
