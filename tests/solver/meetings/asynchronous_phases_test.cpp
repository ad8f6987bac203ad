// Known phases of mbarriers at which asynchronous operations signal: PTX ISA 8.7 § 9.7.13.15, § 8.9.1.1.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <random>

#include "solver/engine/engine.hpp"
#include "solver/launch/launch_exploration.hpp"
#include "solver/meetings/mbarrier_phases.hpp"
#include "tests/solver/launch_columns.hpp"

using namespace ptxmc;

namespace {

const std::string variables =
    ".shared s : u32[4] = {0}; .shared t : u32[4] = {0}; g : u32[4] = {1, 2, 3, 4};";
const std::string expect_16 = "mbarrier.arrive.expect_tx.shared.b64 _, [a], 16";
const std::string load =
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [g], 16, [a]";
const std::string arrive_at_shared_a = "mbarrier.arrive.shared.b64 _, [a]",
                  arrive_at_shared_b = "mbarrier.arrive.shared.b64 _, [b]";

bool are_phases_known(const Columns& columns, unsigned count_of_a, unsigned count_of_b = 1) {
  TermGraph graph;
  const LitmusTest test = columns.test(count_of_a, count_of_b);
  const EventStructure structure = events_of(test, graph);
  const auto waits = MbarrierWaits::find(structure);
  return waits && mbarrier_schedules(*waits);
}

/// The answer that known phases give, if they are known.
std::optional<LaunchAnswer> answer_by_phases(const Columns& columns, unsigned count_of_a,
                                             unsigned count_of_b = 1) {
  TermGraph graph;
  const LitmusTest test = columns.test(count_of_a, count_of_b);
  const EventStructure structure = events_of(test, graph);
  const LaunchQuestion question = question_about(structure);
  return check_launch_by_schedules(question, cat::load("ptx-8.7"), {}, graph);
}

/// Whether the order of the phases alone proves that nothing can go wrong.
bool is_proved(const Columns& columns, unsigned count_of_a, unsigned count_of_b = 1) {
  const auto answer = answer_by_phases(columns, count_of_a, count_of_b);
  return answer && answer->findings.empty() && answer->unknown.empty() && answer->engine == "barriers";
}

/// One stage that is filled twice: a is its full object, b its empty object. Without the fence the second
/// copy races with the first load.
Columns pipeline(const std::string& fence) {
  Columns columns(2, variables);
  columns.add(0, expect_16).add(0, load).wait(0, "b", "0").add(0, expect_16).add(0, load);
  columns.wait(1, "a", "0").add(1, "ld.shared.u32 r1, [s]");
  if (!fence.empty()) columns.add(1, fence);
  columns.add(1, arrive_at_shared_b).wait(1, "a", "1").add(1, "ld.shared.u32 r2, [s]");
  return columns;
}

}  // namespace

TEST_CASE("a pipeline of bulk copies is proved from its phases") {
  CHECK(is_proved(pipeline("fence.proxy.async.shared::cta"), 1));
  CHECK(is_proved(pipeline("fence.proxy.async"), 1));
}

TEST_CASE("a refill needs a proxy fence for its memory after the reads before it") {
  CHECK_FALSE(is_proved(pipeline(""), 1));
  CHECK_FALSE(is_proved(pipeline("fence.proxy.async.global"), 1));
  const auto answer = answer_by_phases(pipeline(""), 1);
  REQUIRE(answer);
  REQUIRE(!answer->findings.empty());
  CHECK(answer->findings.front().property == LaunchProperty::race);
}

TEST_CASE("the bytes of a copy complete the phase in which they are expected") {
  Columns late(2, variables), early(2, variables), few(2, variables);
  late.add(0, load).add(0, arrive_at_shared_a).add(0, "mbarrier.expect_tx.relaxed.cta.shared.b64 [a], 16");
  early.add(0, load).add(0, expect_16);
  few.add(0, expect_16).add(0, load).add(0, load);
  for (Columns* columns : {&late, &early, &few}) columns->wait(1, "a", "0");
  CHECK_FALSE(are_phases_known(late, 1));  // the phase may end before the bytes are expected
  CHECK(are_phases_known(early, 1));
  CHECK_FALSE(are_phases_known(few, 1));  // either copy may complete the phase
}

TEST_CASE("the completion of a copy does not publish what precedes its start") {
  Columns columns(2, variables);
  columns.add(0, expect_16).add(0, "st.weak.u32 [x], 1").add(0, load);
  columns.wait(1, "a", "0").add(1, "ld.shared.u32 r1, [s]");
  Columns published = columns;
  columns.add(1, "ld.weak.u32 r2, [x]");
  CHECK(is_proved(published, 1));
  CHECK(are_phases_known(columns, 1));
  CHECK_FALSE(is_proved(columns, 1));
}

TEST_CASE("an arrival of cp.async.mbarrier.arrive is one more than is pending, unless it has .noinc") {
  const auto columns = [](const std::string& noinc, bool arrives) {
    Columns result(2, variables);
    for (std::size_t thread = 0; thread < 2; ++thread) {
      result.add(thread, fmt::format("cp.async.ca.shared.global [{}], [g], 4", thread == 0 ? "s" : "t"));
      result.add(thread, fmt::format("cp.async.mbarrier.arrive{}.shared.b64 [a]", noinc));
      if (arrives) result.add(thread, arrive_at_shared_a);
      result.wait(thread, "a", "0");
      result.add(thread, fmt::format("ld.shared.u32 r1, [{}]", thread == 0 ? "t" : "s"));
    }
    return result;
  };
  CHECK(is_proved(columns("", true), 2));
  CHECK(is_proved(columns(".noinc", false), 2));
  CHECK(is_proved(columns(".noinc", true), 4));
  CHECK_FALSE(is_proved(columns("", false), 2));  // the phase never ends
  CHECK_FALSE(is_proved(columns(".noinc", true), 2));
  // The phase may end before the second thread increments the pending count.
  Columns late(2, variables);
  late.add(0, arrive_at_shared_a).wait(0, "a", "0");
  late.add(1, "cp.async.mbarrier.arrive.shared.b64 [a]");
  CHECK_FALSE(are_phases_known(late, 1));
}

TEST_CASE("a wait for groups covers the copies of its thread, and with .read their reads") {
  const std::string store = "cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16",
                    commit = "cp.async.bulk.commit_group";
  const auto columns = [&](const std::string& wait, const std::string& access) {
    Columns result(2, variables);
    result.add(0, store).add(0, commit).add(0, wait).add(0, access);
    return result.add(0, arrive_at_shared_a).wait(1, "a", "0");
  };
  const std::string all = "cp.async.bulk.wait_group 0", reads = "cp.async.bulk.wait_group.read 0";
  CHECK(is_proved(columns(all, "st.shared.u32 [s], 1"), 1));
  CHECK(is_proved(columns(reads, "st.shared.u32 [s], 1"), 1));
  CHECK(is_proved(columns(all, "ld.weak.u32 r1, [g]"), 1));
  CHECK_FALSE(is_proved(columns(reads, "ld.weak.u32 r1, [g]"), 1));
  CHECK_FALSE(is_proved(columns("cp.async.bulk.wait_group 1", "st.shared.u32 [s], 1"), 1));
}

namespace {

/// Random pipelines of copies, with mistakes.
class RandomPipeline {
 public:
  explicit RandomPipeline(std::mt19937& random)
      : random_(random), is_right_(below(3) == 0), threads_(2 + below(2)), columns_(threads_, variables) {}

  LitmusTest test() {
    const auto count = static_cast<unsigned>(threads_);
    switch (below(3)) {
      case 0:
        fill_by_bulk_copies();
        return columns_.test(1 + (is_mistake() ? 1 : 0), count - 1);
      case 1:
        return fill_together();
      default:
        return store_by_bulk_copies();
    }
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool is_mistake() { return !is_right_ && below(8) == 0; }
  void maybe(std::size_t thread, const std::string& instruction) {
    if (!is_mistake()) columns_.add(thread, instruction);
  }
  const char* place() { return below(4) == 0 ? "t" : "s"; }

  /// Thread 0 fills a stage, and the others empty it.
  void fill_by_bulk_copies() {
    const unsigned rounds = 1 + below(2);
    for (unsigned round = 0; round < rounds; ++round) {
      if (round > 0 && !is_mistake()) columns_.wait(0, "b", std::to_string((round - 1) % 2));
      if (below(4) == 0) columns_.add(0, "st.weak.u32 [x], 1");
      if (is_mistake()) columns_.add(0, load);
      if (below(4) == 0) {
        maybe(0, "mbarrier.expect_tx.relaxed.cta.shared.b64 [a], 16");
        maybe(0, arrive_at_shared_a);
        columns_.add(0, load);
      } else {
        const bool is_early = below(3) == 0;
        if (is_early) columns_.add(0, load);
        columns_.add(0, is_mistake() ? "mbarrier.arrive.expect_tx.shared.b64 _, [a], 32" : expect_16);
        if (!is_early) columns_.add(0, load);
      }
      for (std::size_t thread = 1; thread < threads_; ++thread) {
        if (!is_mistake())
          columns_.wait(thread, "a", std::to_string((round + (is_mistake() ? 1 : 0)) % 2), false,
                        is_mistake() ? ".relaxed.cta" : "");
        if (below(3) > 0) columns_.add(thread, "ld.shared.u32 r1, [s]");
        if (below(6) == 0) columns_.add(thread, "ld.weak.u32 r3, [x]");
        maybe(thread, "fence.proxy.async.shared::cta");
        maybe(thread, arrive_at_shared_b);
      }
    }
  }

  /// Each thread fills a part with cp.async, and all wait for all parts.
  LitmusTest fill_together() {
    const bool increments = below(2) == 0;
    const unsigned rounds = 1 + below(2);
    for (unsigned round = 0; round < rounds; ++round)
      for (std::size_t thread = 0; thread < threads_; ++thread) {
        const std::size_t part = 4 * (is_mistake() ? 0 : thread);
        maybe(thread, fmt::format("cp.async.ca.shared.global [{}+{}], [g], 4", round == 0 ? "s" : "t", part));
        if (is_mistake()) columns_.add(thread, fmt::format("st.shared.u32 [s+{}], 9", part));
        columns_.add(thread, fmt::format("cp.async.mbarrier.arrive{}.shared.b64 [a]",
                                         increments != is_mistake() ? "" : ".noinc"));
        if (increments) maybe(thread, arrive_at_shared_a);
        if (!is_mistake()) columns_.wait(thread, "a", std::to_string(round % 2));
        columns_.add(thread, fmt::format("ld.shared.u32 r1, [{}+{}]", round == 0 ? "s" : "t",
                                         4 * ((thread + 1) % threads_)));
      }
    return columns_.test(static_cast<unsigned>(threads_) + (is_mistake() ? 1 : 0));
  }

  /// Thread 0 stores what the others have written.
  LitmusTest store_by_bulk_copies() {
    for (std::size_t thread = 1; thread < threads_; ++thread) {
      columns_.add(thread, fmt::format("st.shared.u32 [s+{}], 7", 4 * (thread - 1)));
      if (below(2) == 0) maybe(thread, "fence.proxy.async");
      maybe(thread, arrive_at_shared_a);
    }
    if (!is_mistake()) columns_.wait(0, "a", "0");
    if (below(2) == 0) maybe(0, "fence.proxy.async.shared::cta");
    columns_.add(0, "cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16");
    maybe(0, "cp.async.bulk.commit_group");
    maybe(0, below(3) == 0 ? "cp.async.bulk.wait_group.read 0" : "cp.async.bulk.wait_group 0");
    maybe(0, below(2) == 0 ? "st.shared.u32 [s], 8" : "ld.weak.u32 r2, [g+4]");
    maybe(0, arrive_at_shared_b);
    for (std::size_t thread = 1; thread < threads_; ++thread)
      columns_.wait(thread, "b", "0")
          .add(thread, below(2) == 0 ? "ld.weak.u32 r3, [g]" : "st.shared.u32 [s+12], 1");
    return columns_.test(static_cast<unsigned>(threads_) - 1);
  }

  std::mt19937& random_;
  const bool is_right_;
  const std::size_t threads_;
  Columns columns_;
};

}  // namespace

TEST_CASE("known phases of pipelines and all executions give the same answers") {
  const char* const many = std::getenv("PTXMC_RANDOM_LAUNCHES");
  const int launches = many == nullptr ? 40 : std::atoi(many);
  std::mt19937 random(7);
  int known = 0, proved = 0;
  const cat::Model model = cat::load("ptx-8.7");
  for (int i = 0; i < launches; ++i) {
    const LitmusTest test = RandomPipeline(random).test();
    TermGraph graph;
    const EventStructure structure = events_of(test, graph);
    const LaunchQuestion question = question_about(structure);
    DecideOptions options;
    options.max_steps = 20'000;
    options.timeout_seconds = 5;
    const auto answer = check_launch_by_schedules(question, model, options, graph);
    if (!answer) continue;
    ++known;
    proved += answer->engine == "barriers" ? 1 : 0;
    const LaunchAnswer explored = explore_launch(question, model, options, graph);
    CAPTURE(i);
    CHECK(contradiction(explored, *answer).value_or("") == "");
  }
  MESSAGE(known, " of ", launches, " known, ", proved, " proved");
  CHECK(known > launches / 3);
  CHECK(proved > launches / 10);
}
