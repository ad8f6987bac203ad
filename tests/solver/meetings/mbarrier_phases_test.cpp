#include "solver/meetings/mbarrier_phases.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "solver/engine/engine.hpp"
#include "solver/launch/launch_exploration.hpp"
#include "tests/solver/launch_columns.hpp"

using namespace ptxmc;

namespace {

std::optional<std::vector<LaunchSchedule>> schedules_of(const LitmusTest& test, TermGraph& graph) {
  const EventStructure structure = events_of(test, graph);
  const auto waits = MbarrierWaits::find(structure);
  return waits ? mbarrier_schedules(*waits) : std::nullopt;
}

bool are_known(const Columns& columns, unsigned count_of_a, unsigned count_of_b = 1) {
  TermGraph graph;
  const LitmusTest test = columns.test(count_of_a, count_of_b);
  return schedules_of(test, graph).has_value();
}

const std::string arrive_at_a = "mbarrier.arrive.b64 _, [a]", arrive_at_b = "mbarrier.arrive.b64 _, [b]";

/// All threads arrive and wait, in several phases.
Columns meetings(std::size_t threads, int phases) {
  Columns columns(threads);
  for (std::size_t thread = 0; thread < threads; ++thread)
    for (int phase = 0; phase < phases; ++phase)
      columns.add(thread, arrive_at_a).wait(thread, "a", std::to_string(phase % 2));
  return columns;
}

}  // namespace

// PTX ISA 8.7 § 9.7.13.15.
TEST_CASE("phases in which each thread arrives and waits are the same in every execution") {
  CHECK(are_known(meetings(2, 1), 2));
  CHECK(are_known(meetings(3, 4), 3));
}

TEST_CASE("a wait orders what precedes the releasing arrivals of its phase") {
  TermGraph graph;
  const LitmusTest test = Columns(2)
                              .add(0, "st.weak.u32 [x], 1")
                              .add(0, arrive_at_a)
                              .add(0, "st.weak.u32 [x], 3")
                              .wait(1, "a", "0")
                              .add(1, "st.weak.u32 [x], 2")
                              .test(1);
  const auto schedules = schedules_of(test, graph);
  REQUIRE(schedules);
  REQUIRE(schedules->size() == 1);
  const auto& [structure, schedule, polls] = schedules->front();
  std::vector<EventId> writes;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (structure.events[static_cast<std::size_t>(id)].kind == EventKind::write &&
        structure.events[static_cast<std::size_t>(id)].size == 4)
      writes.push_back(id);
  REQUIRE(writes.size() == 3);
  const BarrierOrder order(structure, schedule);
  CHECK(order.precedes(writes[0], writes[2]));
  CHECK_FALSE(order.precedes(writes[1], writes[2]));
}

TEST_CASE("an arrival or a wait that is relaxed orders nothing") {
  for (const bool is_arrival : {true, false}) {
    TermGraph graph;
    const LitmusTest test = Columns(2)
                                .add(0, "st.weak.u32 [x], 1")
                                .add(0, is_arrival ? "mbarrier.arrive.relaxed.cta.b64 _, [a]" : arrive_at_a)
                                .wait(1, "a", "0", false, is_arrival ? "" : ".relaxed.cta")
                                .add(1, "st.weak.u32 [x], 2")
                                .test(1);
    const auto schedules = schedules_of(test, graph);
    REQUIRE(schedules);
    const auto& [structure, schedule, polls] = schedules->front();
    const BarrierOrder order(structure, schedule);
    const auto last = static_cast<EventId>(structure.events.size()) - 1;
    for (EventId id = 0; id < last; ++id)
      if (structure.events[static_cast<std::size_t>(id)].thread == 0) CHECK_FALSE(order.precedes(id, last));
  }
}

TEST_CASE("a thread that may be two phases late has no known phases") {
  // The second phase may end before the thread 1 polls for the end of the first one.
  Columns columns(2);
  columns.add(0, arrive_at_a).wait(0, "a", "0").add(0, arrive_at_a).wait(1, "a", "0");
  CHECK_FALSE(are_known(columns, 1));
}

TEST_CASE("arrivals that may be in two phases have no known phases") {
  Columns columns(2);
  columns.add(0, arrive_at_a).add(0, arrive_at_a).add(1, arrive_at_a).add(1, arrive_at_a);
  CHECK_FALSE(are_known(columns, 2));
  CHECK_FALSE(are_known(columns, 3));
  CHECK(are_known(columns, 4));
}

TEST_CASE("a test without a loop has no known phases") {
  Columns columns(2);
  columns.add(0, arrive_at_a);
  columns.add(1, "mbarrier.test_wait.parity.b64 p0, [a], 0").add(1, "@p0 st.weak.u32 [x], 1");
  CHECK_FALSE(are_known(columns, 1));
}

TEST_CASE("a test decides what follows, although a loop may follow it too") {
  Columns columns(2);
  columns.add(0, arrive_at_a).add(0, "st.relaxed.gpu.u32 [x], 1");
  columns.add(1, "mbarrier.test_wait.parity.b64 p0, [a], 0")
      .add(1, "@!p0 bra END")
      .add(1, "AGAIN: ld.relaxed.gpu.u32 r1, [x]")
      .add(1, "setp.eq.u32 p1, r1, 0")
      .add(1, "@p1 bra AGAIN")
      .add(1, "END: st.relaxed.gpu.u32 [x], 2");
  CHECK_FALSE(are_known(columns, 1));
}

TEST_CASE("a loop that gives up after some polls is no wait") {
  Columns columns(2);
  columns.add(0, arrive_at_a);
  for (int poll = 0; poll < 2; ++poll)
    columns.add(1, "mbarrier.test_wait.parity.b64 p0, [a], 0").add(1, "@p0 bra END");
  columns.add(1, "END: st.weak.u32 [x], 2");
  CHECK_FALSE(are_known(columns, 1));
}

TEST_CASE("the first poll of a wait may stand before its loop") {
  Columns columns(2);
  columns.add(0, arrive_at_a);
  columns.add(1, "mbarrier.test_wait.parity.b64 p0, [a], 0")
      .add(1, "@p0 bra END")
      .wait(1, "a", "0")
      .add(1, "END: st.weak.u32 [x], 2");
  CHECK(are_known(columns, 1));
}

// Relaxed arrivals and waits order no accesses, but a wait ends after its phase, and what follows the wait
// depends on it.
TEST_CASE("waits that synchronize nothing give the phases of what follows them") {
  const auto are_known_with = [](const std::string& sem) {
    Columns columns(2);
    for (int round = 0; round < 3; ++round) {
      columns.add(0, fmt::format("mbarrier.arrive{}.b64 _, [a]", sem))
          .wait(0, "b", std::to_string(round % 2), false, sem);
      columns.wait(1, "a", std::to_string(round % 2), false, sem)
          .add(1, fmt::format("mbarrier.arrive{}.b64 _, [b]", sem));
    }
    return are_known(columns, 1, 1);
  };
  CHECK(are_known_with(""));
  CHECK(are_known_with(".relaxed.cta"));
}

TEST_CASE("a phase ends after all its updates, also after a transaction that a wait precedes") {
  // The thread 1 completes the bytes of the second phase of a when the thread 2 has seen the first one.
  const auto are_known_if = [](bool waits) {
    Columns columns(3);
    for (int round = 0; round < 2; ++round)
      columns.add(0, "mbarrier.arrive.expect_tx.b64 _, [a], 4").wait(0, "a", std::to_string(round));
    columns.add(1, "mbarrier.complete_tx.relaxed.cta.b64 [a], 4");
    if (waits) columns.wait(1, "b", "0");
    columns.add(1, "mbarrier.complete_tx.relaxed.cta.b64 [a], 4");
    columns.wait(2, "a", "0").add(2, arrive_at_b);
    return are_known(columns, 1, 1);
  };
  CHECK(are_known_if(true));
  CHECK_FALSE(are_known_if(false));
}

TEST_CASE("expect_tx after the arrivals of its phase leaves the phase open") {
  Columns late(2), early(2);
  late.add(0, arrive_at_a).add(0, "mbarrier.expect_tx.relaxed.cta.b64 [a], 4");
  early.add(0, "mbarrier.expect_tx.relaxed.cta.b64 [a], 4").add(0, arrive_at_a);
  for (Columns* columns : {&late, &early})
    columns->add(1, "mbarrier.complete_tx.relaxed.cta.b64 [a], 4").wait(1, "a", "0");
  CHECK_FALSE(are_known(late, 1));
  CHECK(are_known(early, 1));
}

namespace {

/// A random launch in which threads meet in phases, with mistakes.
LitmusTest random_launch(std::mt19937& random) {
  const auto below = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
  const std::size_t threads = 2 + below(2);
  const bool is_right = below(2) == 0;
  const auto is_mistake = [&] { return !is_right && below(8) == 0; };
  Columns columns(threads);
  const unsigned rounds = 1 + below(2);
  const bool alternates = below(2) == 0;
  const auto maybe_access = [&](std::size_t thread) {
    if (below(3) == 0) columns.add(thread, below(2) == 0 ? "ld.weak.u32 r1, [x]" : "st.weak.u32 [x], 1");
  };
  for (std::size_t thread = 0; thread < threads; ++thread)
    for (unsigned round = 0; round < rounds; ++round) {
      const std::string object = alternates && round % 2 == 1 ? "b" : "a";
      const unsigned phase = (alternates ? round / 2 : round) + (is_mistake() ? 1 : 0);
      const bool has_token = below(4) == 0;
      maybe_access(thread);
      if (thread == 0 && below(6) == 0)
        columns.add(thread, fmt::format("mbarrier.expect_tx.relaxed.cta.b64 [{}], 4", object));
      if (thread == 1 && below(6) == 0)
        columns.add(thread, fmt::format("mbarrier.complete_tx.relaxed.cta.b64 [{}], 4", object));
      if (!is_mistake())
        columns.add(thread, fmt::format("mbarrier.arrive{}{}.b64 {}, [{}]", is_mistake() ? "_drop" : "",
                                        below(6) == 0 ? ".relaxed.cta" : "", has_token ? "r2" : "_", object));
      if (below(2) == 0) maybe_access(thread);
      if (!is_mistake())
        columns.wait(thread, object, has_token ? "r2" : std::to_string(phase % 2), has_token);
      maybe_access(thread);
    }
  const unsigned count = static_cast<unsigned>(threads);
  return columns.test(count + (is_mistake() ? 1 : 0), count);
}

}  // namespace

TEST_CASE("known phases and all executions give the same answers") {
  const char* const many = std::getenv("PTXMC_RANDOM_LAUNCHES");
  const int launches = many == nullptr ? 60 : std::atoi(many);
  std::mt19937 random(19);
  int known = 0;
  const cat::Model model = cat::load("ptx-8.7");
  for (int i = 0; i < launches; ++i) {
    const LitmusTest test = random_launch(random);
    TermGraph graph;
    const EventStructure structure = events_of(test, graph);
    const LaunchQuestion question = question_about(structure);
    DecideOptions options;
    options.max_steps = 20'000;
    const auto answer = check_launch_by_schedules(question, model, options, graph);
    if (!answer) continue;
    ++known;
    const LaunchAnswer explored = explore_launch(question, model, options, graph);
    CAPTURE(i);
    CHECK(contradiction(explored, *answer).value_or("") == "");
  }
  CHECK(known > launches / 3);
}
