// The final states that the SMT engine finds, and how many executions have each.
#include "solver/smt_engine/final_state_search.hpp"

#include <doctest/doctest.h>

#include "tests/solver/final_states.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

TEST_CASE("the SMT engine has the final states of all executions") {
  for (const char* name : {"ptx-8.7", "ptx-6.4", "sc"}) {
    const cat::Model model = cat::load(name);
    for (const auto& program : small_programs(name)) {
      CAPTURE(name);
      CAPTURE(program->text);
      const LitmusTest& test = program->test;
      DecideOptions options = one_iteration_counted();
      options.count_executions = false;
      check_answer(decide(test.program, test.question, model, options), model, *program, false);
    }
  }
}

TEST_CASE("it counts the executions of each state") {
  const cat::Model model = cat::load("ptx-8.7");
  int counted = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    if (program->all.accepted.size() > 40 || ++counted > 12) continue;
    CAPTURE(program->text);
    const LitmusTest& test = program->test;
    check_answer(decide(test.program, test.question, model, one_iteration_counted()), model, *program, true);
  }
}

TEST_CASE("if only the condition is asked for, the verdict is the same") {
  const cat::Model model = cat::load("ptx-8.7");
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    const LitmusTest& test = program->test;
    DecideOptions options = one_iteration_counted();
    options.count_executions = false;
    const Verdict verdict = decide(test.program, test.question, model, options).verdict;
    options.all_states = false;
    const Answer answer = decide(test.program, test.question, model, options);
    CHECK(answer.verdict == verdict);
    CHECK(answer.witness.has_value() == (verdict == Verdict::allowed));
  }
}
