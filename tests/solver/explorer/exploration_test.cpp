// The final states and flags that the explorer finds, beside all executions.
#include "solver/explorer/exploration.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "model/judge/judge.hpp"
#include "solver/explorer/explorer.hpp"
#include "tests/solver/final_states.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr const char* names[] = {"ptx-8.7", "ptx-6.4", "sc"};

/// What several answers have together.
struct Together {
  std::map<std::vector<std::int64_t>, std::uint64_t> states;  ///< with the number of executions
  std::uint64_t executions = 0;
  bool is_allowed = false, is_complete = true;

  Together() = default;
  explicit Together(const Answer& answer) { add(answer); }
  void add(const Answer& answer) {
    for (const FinalState& state : answer.states) states[state.values] += state.executions.value();
    executions += answer.executions.value_or(0);
    is_allowed |= answer.verdict == Verdict::allowed;
    is_complete &= answer.states_complete && answer.verdict != Verdict::unknown;
  }
  bool operator==(const Together&) const = default;
};

Together together(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                  std::uint64_t of) {
  Together parts;
  for (std::uint64_t number = 1; number <= of; ++number)
    parts.add(explore_part(test.program, test.question, model, options, {number, of}));
  return parts;
}

}  // namespace

TEST_CASE("the explorer has the final states of all executions, and counts them") {
  for (const char* name : names) {
    const cat::Model model = cat::load(name);
    for (const auto& program : small_programs(name)) {
      CAPTURE(name);
      CAPTURE(program->text);
      const LitmusTest& test = program->test;
      DecideOptions options = one_iteration_counted();
      check_answer(explore(test.program, test.question, model, options), model, *program, true);
      options.count_executions = false;
      check_answer(explore(test.program, test.question, model, options), model, *program, false);
    }
  }
}

TEST_CASE("several jobs have the answer of one") {
  const cat::Model model = cat::load("ptx-8.7");
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    const LitmusTest& test = program->test;
    DecideOptions options = one_iteration_counted();
    options.jobs = 3;
    options.steps_alone = 1;
    check_answer(explore(test.program, test.question, model, options), model, *program, true);
  }
}

TEST_CASE("the parts of a tree together have the executions of the whole") {
  const cat::Model model = cat::load("ptx-8.7");
  int divided = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    const LitmusTest& test = program->test;
    const DecideOptions options = one_iteration_counted();
    const Answer whole = explore(test.program, test.question, model, options);
    if (!whole.states_complete || !whole.executions) continue;
    for (const std::uint64_t of : {1, 2, 3, 40}) {
      CAPTURE(of);
      CHECK(together(test, model, options, of) == Together{whole});
      ++divided;
    }
  }
  CHECK(divided > 100);
}

TEST_CASE("a part of a tree has the same executions with several jobs") {
  const cat::Model model = cat::load("ptx-8.7");
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    const LitmusTest& test = program->test;
    DecideOptions options = one_iteration_counted();
    const Together alone{explore_part(test.program, test.question, model, options, {2, 2})};
    options.jobs = 3;
    CHECK(Together{explore_part(test.program, test.question, model, options, {2, 2})} == alone);
  }
}

TEST_CASE("fewer states than there are leave the list incomplete and the verdict decided") {
  const cat::Model model = cat::load("ptx-8.7");
  int limited = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    const LitmusTest& test = program->test;
    DecideOptions options = one_iteration_counted();
    options.count_executions = false;
    const Answer whole = explore(test.program, test.question, model, options);
    if (whole.states.size() < 2 || !whole.states_complete) continue;
    options.max_states = whole.states.size() - 1;
    const Answer part = explore(test.program, test.question, model, options);
    CHECK_FALSE(part.states_complete);
    CHECK(part.states.size() <= options.max_states);
    CHECK(part.verdict == whole.verdict);
    ++limited;
  }
  CHECK(limited > 5);
}

TEST_CASE("a flag is raised if and only if some execution raises it") {
  const cat::Model model = cat::load("ptx-8.7");
  int raised = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    if (!is_covered(model, program->all)) continue;
    const FlagFinding race =
        explore_flags(program->test.program, model, one_iteration_counted(), {"data_race"}).front();
    const bool has_race = std::ranges::any_of(program->all.accepted, [&](const Execution& execution) {
      return !judge(model, execution).relations.pairs("data_race").empty();
    });
    const bool is_cut_off = race.raised == Verdict::unknown && race.reason == "loop bound 1";
    const bool agrees =
        has_race ? race.raised == Verdict::allowed : race.raised == Verdict::forbidden || is_cut_off;
    CHECK(agrees);
    CHECK(race.witness.has_value() == has_race);
    raised += has_race ? 1 : 0;
  }
  CHECK(raised > 3);
}
