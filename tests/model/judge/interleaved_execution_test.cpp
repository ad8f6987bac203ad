#include "model/judge/interleaved_execution.hpp"

#include <doctest/doctest.h>

#include "model/judge/initial_content_read.hpp"
#include "model/judge/judge.hpp"
#include "model/judge/unordered_accesses.hpp"
#include "tests/model/executions.hpp"
#include "tests/model/judge/locations.hpp"
#include "tests/solver/random_execution.hpp"

using namespace ptxmc;
using test::x;
using test::y;

namespace {

/// The events happen in the order in which they are written.
std::vector<std::size_t> as_written(const Execution& execution) {
  std::vector<std::size_t> moments;
  for (std::size_t i = 0; i < execution.events.size(); ++i) moments.push_back(i + 1);
  return moments;
}

bool is_interleaving_as_written(ExecutionBuilder& test) {
  return is_interleaving(test.execution(), as_written(test.execution()));
}

/// x = 1 and a barrier beside a barrier and a read of x.
struct BesideBarrier : ExecutionBuilder {
  int p0 = thread(), p1 = thread();
  EventId x0 = initial(x, 4), y0 = initial(y, 4);
  EventId x1 = write(p0, x, 4, 1), b0 = barrier(p0, Barrier::Kind::sync, 0, 0), y1 = write(p0, y, 4, 1);
  EventId b1 = barrier(p1, Barrier::Kind::sync, 0, 0), read_x = read(p1, x, 4, x1);
};

}  // namespace

TEST_CASE("each read takes the last write") {
  for (const bool takes_last : {false, true}) {
    ExecutionBuilder test;
    const int p0 = test.thread();
    const EventId x0 = test.initial(x, 4), x1 = test.write(p0, x, 4, 1);
    test.read(p0, x, 4, takes_last ? x1 : x0);
    CHECK(is_interleaving_as_written(test) == takes_last);
  }
}

TEST_CASE("a barrier ends with its last arrival") {
  BesideBarrier test;
  const auto holds = [&](std::vector<std::size_t> moments) {
    return is_interleaving(test.execution(), moments);
  };
  // x0, y0, x1, b0, y1, b1, read_x
  CHECK(holds({1, 2, 3, 4, 6, 5, 7}));
  CHECK(holds({1, 2, 4, 5, 7, 3, 6}));
  CHECK_FALSE(holds({1, 2, 3, 4, 5, 6, 7}));  // y1 happens before the second thread arrives
  CHECK(places_in_time(test.execution(), std::vector<std::size_t>{1, 2, 4, 5, 7, 3, 6}) ==
        std::vector<std::size_t>{2, 4, 8, 11, 14, 11, 12});
  test.event(test.b1).barrier.kind = Barrier::Kind::arrive;  // does not wait, so that y1 may still come later
  CHECK(holds({1, 2, 4, 5, 7, 3, 6}));
}

TEST_CASE("program order, dependencies and initial writes") {
  ExecutionBuilder test;
  const int p0 = test.thread();
  const EventId x0 = test.initial(x, 4), y0 = test.initial(y, 4);
  const EventId read_x = test.read(p0, x, 4, x0), read_y = test.read(p0, y, 4, y0);
  const auto holds = [&](std::vector<std::size_t> moments) {
    return is_interleaving(test.execution(), moments);
  };
  CHECK(holds({1, 2, 3, 4}));
  CHECK_FALSE(holds({1, 2, 4, 3}));
  CHECK_FALSE(holds({1, 3, 2, 4}));  // an initial write behind an access
  CHECK_FALSE(holds({1, 2, 3, 3}));
  test.event(read_y).step = test.event(read_x).step;  // a vector access
  CHECK(holds({1, 2, 4, 3}));
  test.event(read_x).address_dependencies = {read_y};
  CHECK(holds({1, 2, 4, 3}));
  CHECK_FALSE(holds({1, 2, 3, 4}));
}

TEST_CASE("no write comes between the halves of a read-modify-write") {
  ExecutionBuilder test;
  const int p0 = test.thread(), p1 = test.thread();
  const EventId x0 = test.initial(x, 4);
  test.read_modify_write(p0, x, 4, x0, 1, {.sem = Sem::relaxed, .scope = Scope::gpu});
  test.write(p1, x, 4, 2, {.sem = Sem::relaxed, .scope = Scope::gpu});
  const auto holds = [&](std::vector<std::size_t> moments) {
    return is_interleaving(test.execution(), moments);
  };
  CHECK(holds({1, 2, 3, 4}));
  CHECK_FALSE(holds({1, 2, 4, 3}));
  CHECK_FALSE(holds({1, 3, 2, 4}));  // the write before its read
}

TEST_CASE("an asynchronous operation happens between its start and the wait for it") {
  ExecutionBuilder test;
  const int p0 = test.thread();
  test.initial(x, 4);
  test.initial(y, 4);
  test.write(p0, x, 4, 1);
  const EventId copied = test.write(p0, y, 4, 1);
  test.event(copied).strand = 1;
  const EventId wait = test.wait(p0, {});
  test.event(wait).step = 9;
  test.event(wait).completes = {{1, Bits::boolean(true)}};
  const auto holds = [&](std::vector<std::size_t> moments) {
    return is_interleaving(test.execution(), moments);
  };
  CHECK(holds({1, 2, 3, 4, 5}));
  CHECK_FALSE(holds({1, 2, 4, 3, 5}));
  CHECK_FALSE(holds({1, 2, 3, 5, 4}));
  test.event(wait).completes.front().only_reads = true;
  CHECK(holds({1, 2, 3, 5, 4}));
}

TEST_CASE("the accesses of an asynchronous operation happen in their order") {
  ExecutionBuilder test;
  const int p0 = test.thread();
  test.initial(x, 4);
  test.initial(y, 4);
  const EventId first = test.write(p0, x, 4, 1), second = test.write(p0, y, 4, 1);
  test.event(second).step = test.event(first).step;
  test.event(first).strand = 1;
  for (const unsigned strand : {1U, 2U}) {
    test.event(second).strand = strand;
    CHECK(is_interleaving(test.execution(), std::vector<std::size_t>{1, 2, 3, 4}));
    CHECK(is_interleaving(test.execution(), std::vector<std::size_t>{1, 2, 4, 3}) == (strand == 2));
  }
}

TEST_CASE("a read that a copy makes does not tear a write that it overlaps completely") {
  ExecutionBuilder test;
  const int p0 = test.thread();
  const EventId x0 = test.initial(x, 8);
  const EventId x1 = test.write(p0, x, 4, 1, {.is_copy = true});
  test.read(p0, x, 8, std::vector<EventId>{x1, x1, x1, x1, x0, x0, x0, x0});
  CHECK_FALSE(is_interleaving_as_written(test));
  test.event(x1).access.is_copy = false;
  CHECK(is_interleaving_as_written(test));
}

TEST_CASE("a copy may read parts of initial and weak writes, but not of strong ones") {
  const cat::Model model = cat::load("ptx-8.7");
  for (const Sem sem : {Sem::weak, Sem::relaxed})
    for (const bool is_written : {false, true}) {
      ExecutionBuilder test;
      const int p0 = test.thread(), p1 = test.thread();
      const EventId low = test.initial(x, is_written ? 4 : 2);
      const EventId high = is_written ? test.write(p0, x + 2, 2, 1, {.sem = sem, .scope = Scope::gpu})
                                      : test.initial(x + 2, 2);
      const EventId copy = test.read(p1, x, 4, std::vector<EventId>{low, low, high, high},
                                     {.sem = sem, .scope = Scope::gpu, .is_copy = true});
      test.event(copy).strand = 1;
      const bool is_torn = sem == Sem::relaxed && is_written;
      CAPTURE(is_written);
      CHECK(is_interleaving_as_written(test) != is_torn);
      Execution execution = test.execution();
      orient_in_time(model, execution, as_written(execution));
      CHECK(judge_axioms(model, execution).accepted() != is_torn);
    }
}

TEST_CASE("models accept that the read of a certain race takes the initial content") {
  const cat::Model model = cat::load("ptx-8.7");
  int shown = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    const test::RandomEvents events(seed, 3 + seed % 4);
    const Execution& execution = events.execution();
    if (!is_interleaving(execution, events.place())) continue;
    for (const auto& race : unordered_accesses(execution, events.place(), Synchronization::possible)) {
      auto other = reading_initial_content(execution, events.place(), race);
      if (!other) continue;
      ++shown;
      orient_in_time(model, *other, events.place());
      CAPTURE(seed);
      CHECK(judge_axioms(model, *other).accepted());
    }
  }
  CHECK(shown > 100);
}

TEST_CASE("the content that is read is initial, whole, and read by no other event") {
  ExecutionBuilder test;
  const int p0 = test.thread(), p1 = test.thread({.cta = 1});
  const EventId x0 = test.initial(x, 8);
  const EventId x1 = test.write(p0, x + 4, 2, 7), read = test.read(p1, x + 4, 2, x1);
  const auto moments = as_written(test.execution());
  const auto other = reading_initial_content(test.execution(), moments, {x1, read});
  REQUIRE(other.has_value());
  CHECK(other->events[static_cast<std::size_t>(x0)].value.to_u64() == 7ull << 32);
  CHECK(judge(cat::load("ptx-8.7"), *other).accepted());
  CHECK_FALSE(reading_initial_content(test.execution(), moments, {read, x1}).has_value());
  test.event(x1).size = 1;  // the second byte is initial
  test.execution().reads_from = {{read, x1, x + 4, 1}, {read, x0, x + 5, 1}};
  CHECK(reading_initial_content(test.execution(), moments, {x1, read}).has_value());
  test.execution().reads_from.push_back({x1, x0, x + 5, 1});  // as if another event read it
  CHECK_FALSE(reading_initial_content(test.execution(), moments, {x1, read}).has_value());
}

TEST_CASE("a byte that other writes have written is not initial") {
  for (const bool is_later : {false, true}) {
    ExecutionBuilder test;
    const int p0 = test.thread(), p1 = test.thread({.cta = 1}), p2 = test.thread({.cta = 2});
    test.initial(x, 4);
    const EventId x1 = test.write(p0, x, 4, 1), read = test.read(p1, x, 4, x1);
    test.write(p2, x, 4, 2);
    const std::vector<std::size_t> late = {1, 2, 3, 4}, early = {1, 3, 4, 2};
    const auto other = reading_initial_content(test.execution(), is_later ? late : early, {x1, read});
    CHECK(other.has_value() == is_later);
  }
}

TEST_CASE("the models accept interleavings, and their certain races are races") {
  int interleavings = 0, others = 0, racy = 0;
  for (const char* name : {"ptx-7.5", "ptx-8.7"}) {
    const cat::Model model = cat::load(name);
    for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
      const test::RandomEvents events(seed, 3 + seed % 4);
      if (!is_interleaving(events.execution(), events.place())) {
        ++others;
        continue;
      }
      ++interleavings;
      Execution execution = events.execution();
      orient_in_time(model, execution, events.place());
      const Judgement judgement = judge(model, execution);
      CAPTURE(seed);
      CHECK(judgement.accepted());
      const auto races = unordered_accesses(execution, events.place(), Synchronization::possible);
      racy += races.empty() ? 0 : 1;
      for (const auto& [a, b] : races) CHECK(relates(judgement.relations.at("data_race"), a, b));
    }
  }
  CHECK(interleavings > 500);
  CHECK(others > 500);
  CHECK(racy > 100);
}
