#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "bench/families.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/engine/engine.hpp"
#include "src/litmus/litmus_test.hpp"
#include "tests/campaign/random_litmus.hpp"

using namespace ptxmc;

// What is found depends neither on how many threads look for it nor on which of them comes first.

namespace {

bool are_equal(const std::optional<Execution>& a, const std::optional<Execution>& b) {
  const auto is_same = [](const ReadsFrom& x, const ReadsFrom& y) {
    return x.read == y.read && x.write == y.write && x.first == y.first;
  };
  if (!a || !b) return a.has_value() == b.has_value();
  return a->choices == b->choices && std::ranges::equal(a->reads_from, b->reads_from, is_same) &&
         a->barrier_phase == b->barrier_phase;
}

/// Whether an engine has given up: the other engine decides then, and the result is not compared.
bool has_given_up(const Answer& answer) { return answer.reason == "step limit"; }
bool has_given_up(const Termination& answer) { return answer.reason == "step limit"; }
bool has_given_up(const std::optional<FlagFinding>& finding) { return finding->reason == "step limit"; }

/// That two answers differ; empty: they do not.
std::string difference(const Answer& a, const Answer& b) {
  if (a.verdict != b.verdict || a.reason != b.reason || a.engine != b.engine)
    return fmt::format("verdicts: {} and {}", a.reason, b.reason);
  if (a.executions != b.executions || a.blocked != b.blocked)
    return fmt::format("{} and {} executions, {} and {} blocked", a.executions.value_or(0),
                       b.executions.value_or(0), a.blocked.value_or(0), b.blocked.value_or(0));
  if (a.states.size() != b.states.size() || a.states_complete != b.states_complete)
    return fmt::format("{} and {} states", a.states.size(), b.states.size());
  for (std::size_t i = 0; i < a.states.size(); ++i)
    if (a.states[i].values != b.states[i].values || a.states[i].executions != b.states[i].executions ||
        !are_equal(a.states[i].witness, b.states[i].witness))
      return fmt::format("state {}", i);
  return are_equal(a.witness, b.witness) ? "" : "witnesses";
}

std::string difference(const std::optional<FlagFinding>& a, const std::optional<FlagFinding>& b) {
  if (a->raised != b->raised || a->reason != b->reason || a->engine != b->engine) return "findings";
  return are_equal(a->witness, b->witness) ? "" : "witnesses";
}

std::string difference(const Termination& a, const Termination& b) {
  if (a.hangs != b.hangs || a.reason != b.reason || a.engine != b.engine) return "ends";
  return are_equal(a.witness, b.witness) ? "" : "witnesses";
}

/// The threads help each other as soon as they can, and give up early.
DecideOptions options_of(std::uint64_t seed) {
  DecideOptions options;
  options.bound = 1;
  options.count_executions = seed % 3 == 0;
  options.all_states = seed % 4 != 1;
  if (seed % 7 == 0) options.max_states = 3;
  options.steps_alone = 1 + seed % 5;
  options.max_steps = seed % 2 == 0 ? 50 : 2'000;
  return options;
}

/// What one, two and four threads say that differs. They are not asked again what they do not support.
template <class Ask>
std::string difference_between_jobs(const Ask& ask, DecideOptions options) {
  try {
    const auto alone = ask(options);
    for (const unsigned jobs : {2u, 4u}) {
      options.jobs = jobs;
      const auto together = ask(options);
      if (has_given_up(alone) && has_given_up(together)) continue;
      if (const std::string found = difference(alone, together); !found.empty())
        return fmt::format("1 and {} jobs: {}", jobs, found);
    }
  } catch (const Unsupported&) {
  }
  return "";
}

std::string difference_between_jobs(const LitmusTest& test, Engine engine, const DecideOptions& options) {
  const cat::Model model = cat::load("ptx-8.7");
  std::string all;
  all += difference_between_jobs(
      [&](const DecideOptions& asked) {
        return decide_with(engine, test.program, test.question, model, asked);
      },
      options);
  all += difference_between_jobs(
      [&](const DecideOptions& asked) {
        return find_flag_with(engine, test.program, model, asked, "data_race");
      },
      options);
  const Progress progress{options.count_executions ? Progress::Kind::occupancy : Progress::Kind::fair,
                          Scope::cta};
  all += difference_between_jobs(
      [&](const DecideOptions& asked) {
        return decide_termination_with(engine, test.program, model, asked, progress);
      },
      options);
  return all;
}

}  // namespace

TEST_SUITE("jobs") {
  TEST_CASE("random programs are explored alike by any number of threads") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      CAPTURE(seed);
      const LitmusTest test = parse_litmus(random_litmus(seed), "random.litmus");
      CHECK(difference_between_jobs(test, Engine::explorer, options_of(seed)) == "");
    }
  }

  TEST_CASE("families are explored alike by any number of threads") {
    using namespace ptxmc::bench;
    for (const std::string& text :
         {ticket_lock_told_apart(4), counter_told_apart(5), racing_writers(5), store_buffer_ring(5),
          message_passing_chain(6), relaxed_independent_reads(4), treiber_stack(3), grid_barrier(3)})
      for (std::uint64_t seed = 1; seed <= 7; ++seed)
        for (const Engine engine : {Engine::explorer, Engine::automatic}) {
          CAPTURE(text);
          CAPTURE(seed);
          const LitmusTest test = parse_litmus(text, "family.litmus");
          CHECK(difference_between_jobs(test, engine, options_of(seed)) == "");
        }
  }
}
