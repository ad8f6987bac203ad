// Races of two threads of which one stands for all: PTX ISA 8.7 § 8.7.1, § 8.7.2.
#include "solver/threads/open_races.hpp"

#include <doctest/doctest.h>

#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr std::uint64_t first = 0x1000;

/// 64 threads in each of some CTAs, and memory.
struct Racing : OpenEvents {
  explicit Racing(std::uint32_t ctas = 1, bool is_shared = false) : OpenEvents(64, ctas) {
    memory(first, 1024, is_shared, true);
  }
  /// The element of the thread with the number of this one and `more`.
  Bits element(std::uint64_t more = 0) const {
    return Bits(64, first) + shift_left(tid() + Bits(64, more), Bits(32, 2));
  }
  /// Whether races are excluded; otherwise there are candidates.
  bool are_excluded() {
    std::vector<OpenCandidate> candidates;
    OpenSuspects suspects(questions(), candidates);
    const OpenRaces races = look_for_races(questions(), suspects, counter_orders(questions(), {}, {}));
    CHECK(races.are_excluded == candidates.empty());
    return races.are_excluded;
  }
  /// A step between two accesses.
  void fence_in_place() { write(element(), Bits(32, 1)).kind = EventKind::fence; }
  void make_strong(Scope scope) {
    for (Event& event : events()) {
      event.access.sem = Sem::relaxed;
      event.access.scope = scope;
    }
  }
};

}  // namespace

TEST_CASE("threads that write elements of their own do not race") {
  Racing own;
  own.write(own.element(), Bits(32, 1));
  CHECK(own.are_excluded());
  Racing next;
  next.write(next.element(), Bits(32, 1));
  next.read(next.element(1));
  CHECK_FALSE(next.are_excluded());
}

TEST_CASE("reads do not race, nor do strong accesses within their scope") {
  Racing reads;
  reads.read(Bits(64, first));
  CHECK(reads.are_excluded());
  for (const auto& [scope, ctas, are_excluded] :
       {std::tuple{Scope::cta, 1, true}, {Scope::cta, 2, false}, {Scope::gpu, 2, true}}) {
    Racing strong(static_cast<std::uint32_t>(ctas));
    strong.write(Bits(64, first), Bits(32, 1));
    strong.make_strong(scope);
    CHECK(strong.are_excluded() == are_excluded);
  }
}

TEST_CASE("a barrier orders the accesses of a CTA") {
  Racing one;
  one.write(one.element(), Bits(32, 1));
  one.barrier();
  one.read(one.element(1));
  CHECK(one.are_excluded());
  Racing two(2);
  two.write(two.element(), Bits(32, 1));
  two.barrier();
  two.read(two.element(1));
  CHECK_FALSE(two.are_excluded());
}

TEST_CASE("iterations that are skipped and pass barriers order what is before from what is behind them") {
  for (const bool pass_barriers : {true, false}) {
    Racing one;
    one.write(one.element(), Bits(32, 1));
    one.fence_in_place();
    one.thread().skipped.push_back({2, 2, 4, Bits::boolean(pass_barriers)});
    one.read(one.element(1));
    CHECK(one.are_excluded() == pass_barriers);
  }
}

TEST_CASE("each CTA has shared memory of its own") {
  Racing shared(2, true);
  shared.write(shared.element(), Bits(32, 1));
  CHECK(shared.are_excluded());
  Racing global(2, false);
  global.write(global.element(), Bits(32, 1));
  CHECK_FALSE(global.are_excluded());
}
