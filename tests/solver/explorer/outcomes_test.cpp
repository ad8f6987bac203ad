// The final states that the explorer collects, and how many executions have each.
#include "solver/explorer/outcomes.hpp"

#include <doctest/doctest.h>

#include "solver/explorer/explorer.hpp"
#include "tests/solver/final_states.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

TEST_CASE("the explorer has the final states of all executions, and counts the executions of each") {
  for (const char* name : {"ptx-8.7", "ptx-6.4", "sc"}) {
    const cat::Model model = cat::load(name);
    for (const auto& program : small_programs(name)) {
      CAPTURE(name);
      CAPTURE(program->text);
      const LitmusTest& test = program->test;
      check_answer(explore(test.program, test.question, model, one_iteration_counted()), model, *program,
                   true);
    }
  }
}

TEST_CASE("without counts, and with several threads, the states are the same") {
  const cat::Model model = cat::load("ptx-8.7");
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    const LitmusTest& test = program->test;
    DecideOptions options = one_iteration_counted();
    options.count_executions = false;
    check_answer(explore(test.program, test.question, model, options), model, *program, false);
    options.count_executions = true;
    options.jobs = 3;
    options.steps_alone = 1;
    check_answer(explore(test.program, test.question, model, options), model, *program, true);
  }
}

TEST_CASE("more states than may be listed are left out, and the answer says so") {
  const cat::Model model = cat::load("ptx-8.7");
  int cut = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    const auto expected = final_states(model, *program, program->all);
    if (!expected || expected->size() < 3) continue;
    DecideOptions options = one_iteration_counted();
    options.max_states = 2;
    const Answer answer = explore(program->test.program, program->test.question, model, options);
    CHECK(answer.states.size() <= 2);
    CHECK_FALSE(answer.states_complete);
    for (const FinalState& state : answer.states) CHECK(expected->contains(state.values));
    ++cut;
  }
  CHECK(cut > 5);
}
