// Reads of memory that the launch does not initialize.
#include "solver/threads/written_memory.hpp"

#include <doctest/doctest.h>

#include "solver/threads/last_additions.hpp"
#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr std::uint64_t memory_at = 0x1000, counter_at = 0x100;

/// 64 threads of a CTA, and 64 words that are not initialized.
class Words : public OpenEvents {
 public:
  explicit Words(bool is_shared = true, std::uint32_t ctas = 1) : OpenEvents(64, ctas) {
    memory(memory_at, std::uint64_t{4} * 64, is_shared, false);
  }
  Bits word(const Bits& index) const { return Bits(64, memory_at) + index * Bits(64, 4); }
  /// The word of the thread with the opposite number.
  Bits opposite() const { return word(Bits(64, 63) - tid()); }
  bool are_initialized() {
    OpenSuspects suspects(questions(), candidates);
    const auto last_additions = find_last_additions(questions(), {}, {});
    return are_reads_initialized(questions(), suspects, counter_orders(questions(), last_additions, {}));
  }

  std::vector<OpenCandidate> candidates;
};

}  // namespace

TEST_CASE("a thread reads what it has written") {
  Words threads;
  threads.write(threads.word(threads.tid()), Bits(32, 1));
  threads.read(threads.word(threads.tid()));
  CHECK(threads.are_initialized());

  Words before;
  before.read(before.word(before.tid()));
  before.write(before.word(before.tid()), Bits(32, 1));
  CHECK_FALSE(before.are_initialized());
}

TEST_CASE("a thread reads what others have written before a barrier") {
  Words threads;
  threads.write(threads.word(threads.tid()), Bits(32, 1));
  threads.barrier();
  threads.read(threads.opposite());
  CHECK(threads.are_initialized());

  Words without;
  without.write(without.word(without.tid()), Bits(32, 1));
  without.read(without.opposite());
  CHECK_FALSE(without.are_initialized());
  REQUIRE(!without.candidates.empty());
  CHECK(without.candidates[0].property == LaunchProperty::uninitialized);
}

TEST_CASE("words that no thread writes are not initialized") {
  Words threads;
  const Bits writes = less_unsigned(threads.thread().tid[0], Bits(32, 63));
  threads.write(threads.word(threads.tid()), Bits(32, 1)).condition = writes;
  threads.barrier();
  threads.read(threads.opposite());
  CHECK_FALSE(threads.are_initialized());
  for (const OpenCandidate& candidate : threads.candidates) CHECK(candidate.threads.at(0).tid[0] == 0);
}

TEST_CASE("a write under a condition that an input decides counts where the read has the same condition") {
  Words threads;
  const Bits n = threads.graph().variable(32, "n");
  threads.thread().shared.insert(n.term()->variable);
  threads.thread().inputs.push_back(n);
  const auto is_below = [&](const Bits& number) { return less_unsigned(number.extract(0, 32), n); };
  threads.write(threads.word(threads.tid()), Bits(32, 1)).condition = is_below(threads.tid());
  threads.barrier();
  threads.read(threads.opposite()).condition = is_below(Bits(64, 63) - threads.tid());
  CHECK(threads.are_initialized());

  Words others;
  const Bits m = others.graph().variable(32, "m");
  others.thread().shared.insert(m.term()->variable);
  others.thread().inputs.push_back(m);
  others.write(others.word(others.tid()), Bits(32, 1)).condition = less_unsigned(others.thread().tid[0], m);
  others.barrier();
  others.read(others.opposite()).condition = less_unsigned(others.thread().tid[0], m);
  CHECK_FALSE(others.are_initialized());
}

TEST_CASE("a write under a condition that is read counts for no other thread") {
  Words threads;
  threads.memory(counter_at, 4, false, true);
  const Bits read = threads.read(Bits(64, counter_at)).value;
  threads.write(threads.word(threads.tid()), Bits(32, 1)).condition = equal(read, Bits(32, 0));
  threads.barrier();
  threads.read(threads.opposite());
  CHECK_FALSE(threads.are_initialized());
}

TEST_CASE("another proxy may miss what was written") {
  Words threads;
  threads.write(threads.word(threads.tid()), Bits(32, 1));
  threads.barrier();
  threads.read(threads.opposite()).access.proxy = Proxy::async;
  CHECK_FALSE(threads.are_initialized());
}

TEST_CASE("the thread that adds last to a counter reads what all have written") {
  for (const Sem sem : {Sem::acq_rel, Sem::relaxed}) {
    Words threads(false, 1);
    threads.memory(counter_at, 4, false, true);
    threads.thread().initial_values[{counter_at, 4}] = Bits(32, 0);
    threads.write(threads.word(threads.tid()), Bits(32, 1));
    const std::size_t added = threads.atomic_add(Bits(64, counter_at), 1, Scope::gpu, sem);
    const Bits is_last = equal(threads.events()[added].value, Bits(32, 63));
    threads.read(threads.opposite()).condition = is_last;
    CHECK(threads.are_initialized() == (sem == Sem::acq_rel));
  }
}
