#include "model/judge/unordered_accesses.hpp"

#include <doctest/doctest.h>

#include "tests/model/executions.hpp"
#include "tests/model/judge/locations.hpp"

using namespace ptxmc;
using test::x;
using test::y;

namespace {

bool is_race(ExecutionBuilder& test, Synchronization mode) {
  std::vector<std::size_t> moments;
  for (std::size_t i = 0; i < test.execution().events.size(); ++i) moments.push_back(i + 1);
  return !unordered_accesses(test.execution(), moments, mode).empty();
}
bool is_certain(ExecutionBuilder& test) { return is_race(test, Synchronization::possible); }
bool is_likely(ExecutionBuilder& test) { return is_race(test, Synchronization::scoped); }

/// x = 1; y = 1 beside a read of y and one of x, by threads of different CTAs.
struct Message : ExecutionBuilder {
  int p0 = thread({.cta = 0}), p1 = thread({.cta = 1});
  EventId x0 = initial(x, 4), y0 = initial(y, 4);
  EventId x1 = write(p0, x, 4, 1), y1, read_y, read_x;

  Message(Access writes, Access reads) {
    y1 = write(p0, y, 4, 1, writes);
    read_y = read(p1, y, 4, y1, reads);
    read_x = read(p1, x, 4, x1);
  }
};

}  // namespace

TEST_CASE("a message is ordered if its writer releases and its reader acquires, in scope") {
  const Access weak, relaxed{.sem = Sem::relaxed, .scope = Scope::gpu};
  const Access release{.sem = Sem::release, .scope = Scope::gpu},
      acquire{.sem = Sem::acquire, .scope = Scope::gpu};
  Message good(release, acquire);
  CHECK_FALSE(is_likely(good));
  for (const auto& [writes, reads] :
       {std::pair(weak, weak), std::pair(relaxed, acquire), std::pair(release, relaxed)}) {
    Message bad(writes, reads);
    CHECK(is_certain(bad));
  }
  Message narrow({.sem = Sem::release, .scope = Scope::cta}, acquire);
  CHECK_FALSE(is_certain(narrow));  // this analysis does not exclude that a wider pattern orders them
  CHECK(is_likely(narrow));
}

TEST_CASE("fences make strong accesses release and acquire") {
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      ExecutionBuilder test;
      const int p0 = test.thread({.cta = 0}), p1 = test.thread({.cta = 1});
      const Access relaxed{.sem = Sem::relaxed, .scope = Scope::gpu};
      test.initial(x, 4);
      test.initial(y, 4);
      const EventId x1 = test.write(p0, x, 4, 1);
      if (first) test.fence(p0, {.sem = Sem::acq_rel, .scope = Scope::gpu});
      const EventId y1 = test.write(p0, y, 4, 1, relaxed);
      test.read(p1, y, 4, y1, relaxed);
      if (second) test.fence(p1, {.sem = Sem::acq_rel, .scope = Scope::gpu});
      test.read(p1, x, 4, x1);
      CHECK(is_certain(test) == !(first && second));
    }
}

TEST_CASE("a strong write that was read precedes what follows, but not what precedes it") {
  ExecutionBuilder test;
  const int p0 = test.thread({.cta = 0}), p1 = test.thread({.cta = 1});
  const Access relaxed{.sem = Sem::relaxed, .scope = Scope::gpu};
  test.initial(x, 4);
  const EventId x1 = test.write(p0, x, 4, 1, relaxed);
  test.read(p1, x, 4, x1, relaxed);
  test.write(p1, x, 4, 2);
  CHECK_FALSE(is_certain(test));
}

TEST_CASE("an access of an asynchronous operation follows a generic one behind a proxy fence") {
  for (const bool has_fence : {false, true}) {
    ExecutionBuilder test;
    const int p0 = test.thread();
    test.initial(x, 4);
    const EventId x1 = test.write(p0, x, 4, 1);
    if (has_fence)
      test.fence(p0, {.is_proxy_fence = true, .sem = Sem::weak, .from = Proxy::generic, .to = Proxy::async});
    const EventId copied = test.read(p0, x, 4, x1, {.proxy = Proxy::async});
    test.event(copied).strand = 1;
    CHECK(is_certain(test) == !has_fence);
  }
}

TEST_CASE("an access follows an asynchronous operation behind the wait for it") {
  for (const bool waits : {false, true})
    for (const bool only_reads : {false, true}) {
      ExecutionBuilder test;
      const int p0 = test.thread();
      test.initial(x, 4);
      const EventId copied = test.write(p0, x, 4, 1, {.proxy = Proxy::async});
      test.event(copied).strand = 1;
      if (waits) {
        const EventId wait = test.wait(p0, {});
        test.event(wait).step = test.event(copied).step + 1;
        test.event(wait).completes = {{1, Bits::boolean(true), only_reads}};
      }
      const EventId access = test.read(p0, x, 4, copied);
      test.event(access).step += 2;
      CHECK(is_certain(test) == (!waits || only_reads));
    }
}

TEST_CASE("a wait for an mbarrier orders the strand that signals, not what precedes its start") {
  for (const bool is_of_strand : {false, true}) {
    ExecutionBuilder test;
    const int p0 = test.thread(), p1 = test.thread();
    const Access operation{.sem = Sem::release, .scope = Scope::cta, .mbarrier = MbarrierAccess::operation};
    test.initial(x, 4);
    test.initial(y, 8);
    const EventId x1 = test.write(p0, x, 4, 1);
    if (is_of_strand) test.event(x1).strand = 1;
    const EventId signal = test.write(p0, y, 8, 1, operation);
    test.event(signal).strand = 1;
    test.read(p1, y, 8, signal,
              {.sem = Sem::relaxed, .scope = Scope::cta, .mbarrier = MbarrierAccess::operation});
    test.wait(p1);
    test.read(p1, x, 4, x1);
    CHECK(is_certain(test) == !is_of_strand);
  }
}

TEST_CASE("barriers order, and each pair of instructions is named once") {
  ExecutionBuilder test;
  const int p0 = test.thread(), p1 = test.thread();
  Instruction store, load;
  test.initial(x, 4);
  const EventId x1 = test.write(p0, x, 4, 1);
  const EventId b0 = test.barrier(p0, Barrier::Kind::arrive, 0, 0);
  const EventId x2 = test.write(p0, x, 4, 2);
  const EventId b1 = test.barrier(p1, Barrier::Kind::sync, 0, 0);
  const EventId first = test.read(p1, x, 4, x2), second = test.read(p1, x, 4, x2);
  for (const EventId id : {x1, x2}) test.event(id).instruction = &store;
  for (const EventId id : {first, second}) test.event(id).instruction = &load;
  std::vector<std::size_t> moments(static_cast<std::size_t>(second) + 1);
  for (const EventId id : {0, x1, b0, x2, b1, first, second})
    moments[static_cast<std::size_t>(id)] = static_cast<std::size_t>(id) + 1;
  const auto races = unordered_accesses(test.execution(), moments, Synchronization::possible);
  CHECK(races == std::vector<std::pair<EventId, EventId>>{{x2, first}});
}
