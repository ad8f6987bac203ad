// What one thread of a CTA writes to shared memory, and all read behind a barrier: PTX ISA 8.7 § 8.10.6.
#include "solver/threads/broadcasts.hpp"

#include <doctest/doctest.h>

#include "solver/threads/counter_order.hpp"
#include "solver/threads/last_additions.hpp"
#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr std::uint64_t flag = 0x100, last_count = 0x1000;

/// Four CTAs of eight threads, and a flag in shared memory.
class Telling : public OpenEvents {
 public:
  Telling() : OpenEvents(8, 4) {
    memory(flag, 4, true, false);
    memory(last_count, 4, false, true);
    thread().initial_values[{last_count, 4}] = Bits(32, 0);
  }
  Bits is_thread(std::uint32_t number) { return equal(thread().tid[0], Bits(32, number)); }
  void tell(const Bits& value, std::uint32_t thread = 0) {
    write(Bits(64, flag), value).condition = is_thread(thread);
  }
  /// The number of the event that reads the flag.
  std::size_t hear() {
    read(Bits(64, flag));
    return events().size() - 1;
  }
  void fence(Sem sem) {
    Event& event = write(Bits(64, 0), Bits(32, 0));
    event.kind = EventKind::fence;
    event.size = 0;
    event.fence.sem = sem;
    event.fence.scope = Scope::gpu;
  }
  unsigned last_step() { return events().back().step; }
};

}  // namespace

TEST_CASE("what a thread may write more than once is no broadcast") {
  Telling threads;
  threads.tell(threads.graph().variable(32, "told"), 3);
  threads.thread().skipped.push_back({1, 1, 2});
  threads.barrier();
  threads.hear();
  CHECK(find_broadcasts(threads.questions()).empty());
}

TEST_CASE("all threads of a CTA read what one thread has written before a barrier") {
  Telling threads;
  threads.tell(threads.graph().variable(32, "told"), 3);
  threads.barrier();
  const std::size_t heard = threads.hear();
  OpenQuestions& questions = threads.questions();
  const auto broadcasts = find_broadcasts(questions);
  REQUIRE(broadcasts.size() == 1);
  CHECK(broadcasts.front().read == &threads.events()[heard]);
  assume_broadcasts(questions, broadcasts);
  const Bits& value = threads.events()[heard].value;
  for (const Neighbours relation : {Neighbours::in_warp, Neighbours::in_cta})
    CHECK(questions.never(relation, ~equal(value, questions.pair(relation)->other(value))));
  CHECK_FALSE(questions.never(Neighbours::across_ctas,
                              ~equal(value, questions.pair(Neighbours::across_ctas)->other(value))));
  CHECK(questions.never(threads.is_thread(3) & ~equal(value, threads.events().front().value)));
  CHECK_FALSE(questions.never(threads.is_thread(2) & ~equal(value, threads.events().front().value)));
}

TEST_CASE("what is written without a barrier between, sometimes, or by several threads is no broadcast") {
  const auto is_broadcast = [](Telling& threads) { return !find_broadcasts(threads.questions()).empty(); };
  const Bits one(32, 1);

  Telling without_barrier;
  without_barrier.tell(one);
  without_barrier.hear();
  CHECK_FALSE(is_broadcast(without_barrier));

  Telling sometimes;
  sometimes.tell(one);
  sometimes.events().back().condition =
      sometimes.events().back().condition & sometimes.graph().variable(1, "sometimes");
  sometimes.barrier();
  sometimes.hear();
  CHECK_FALSE(is_broadcast(sometimes));

  Telling by_all;
  by_all.write(Bits(64, flag), one);
  by_all.barrier();
  by_all.hear();
  CHECK_FALSE(is_broadcast(by_all));

  Telling by_two;
  by_two.tell(one);
  by_two.tell(one, 1);
  by_two.barrier();
  by_two.hear();
  CHECK_FALSE(is_broadcast(by_two));

  Telling overwritten;
  overwritten.tell(one);
  overwritten.barrier();
  overwritten.hear();
  overwritten.tell(one);
  CHECK_FALSE(is_broadcast(overwritten));

  Telling in_turn;
  in_turn.tell(one);
  in_turn.barrier();
  in_turn.hear();
  in_turn.barrier();
  in_turn.tell(one);
  CHECK(is_broadcast(in_turn));
}

TEST_CASE("a thread that has added last may tell the others of its CTA") {
  for (const bool is_inverted : {false, true}) {
    CAPTURE(is_inverted);
    Telling threads;
    threads.barrier();
    const unsigned first = threads.last_step();
    const std::size_t added = threads.atomic_add(Bits(64, last_count), 1);
    for (std::size_t i = added; i < added + 2; ++i) threads.events()[i].condition = threads.is_thread(0);
    const Bits is_last = equal(threads.events()[added].value, Bits(32, 3));
    threads.tell((is_inverted ? ~is_last : is_last).zero_extend(32));
    threads.barrier();
    const std::size_t heard = threads.hear();
    OpenQuestions& questions = threads.questions();
    const auto counters = assume_counters(questions);
    const auto broadcasts = find_broadcasts(questions);
    assume_broadcasts(questions, broadcasts);
    const auto last_additions = find_last_additions(questions, counters, broadcasts);
    const auto orders = counter_orders(questions, last_additions, broadcasts);
    const CounterOrder& order = orders.front();
    const Bits is_zero = equal(threads.events()[heard].value, Bits(32, 0));
    const Bits knows = order.knows_of_all(threads.last_step() + 1);
    CHECK(order.tells(first - 1).is_true());
    CHECK_FALSE(questions.never(knows));
    CHECK(questions.never((is_inverted ? ~is_zero : is_zero) & knows));
    CHECK(questions.never((is_inverted ? is_zero : ~is_zero) & ~knows));

    // No two CTAs have added last.
    const Bits says_so = is_inverted ? is_zero : ~is_zero;
    const auto both = [&] { return says_so & questions.pair(Neighbours::across_ctas)->other(says_so); };
    CHECK_FALSE(questions.never(Neighbours::across_ctas, both()));
    assume_one_last_cta(questions, last_additions, broadcasts);
    CHECK(questions.never(Neighbours::across_ctas, both()));
  }
}

TEST_CASE("fences before the additions of others order accesses only if they are fence.sc, on both sides") {
  for (const Sem sem : {Sem::acq_rel, Sem::sc}) {
    CAPTURE(sem == Sem::sc);
    Telling threads;
    threads.fence(sem);
    threads.barrier();
    const std::size_t added = threads.atomic_add(Bits(64, last_count), 1, Scope::gpu, Sem::relaxed);
    for (std::size_t i = added; i < added + 2; ++i) threads.events()[i].condition = threads.is_thread(0);
    threads.tell(equal(threads.events()[added].value, Bits(32, 3)).zero_extend(32));
    threads.barrier();
    const unsigned behind = threads.last_step() + 1;
    threads.hear();
    threads.fence(sem);
    OpenQuestions& questions = threads.questions();
    const auto counters = assume_counters(questions);
    const auto broadcasts = find_broadcasts(questions);
    assume_broadcasts(questions, broadcasts);
    const auto last_additions = find_last_additions(questions, counters, broadcasts);
    bool is_told = false, is_known = false, is_known_before_fence = false;
    for (const CounterOrder& order : counter_orders(questions, last_additions, broadcasts)) {
      is_told = is_told || order.tells(0).is_true();
      const auto may_know = [&](unsigned step) {
        return !questions.never(order.knows_of_all(step) & ~threads.is_thread(0));
      };
      is_known = is_known || may_know(threads.last_step() + 1);
      is_known_before_fence = is_known_before_fence || may_know(behind + 1);
    }
    CHECK(is_told == (sem == Sem::sc));
    CHECK(is_known == (sem == Sem::sc));
    CHECK_FALSE(is_known_before_fence);
  }
}
