#include "src/report/comparison.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

LitmusTest one_register() {
  LitmusTest test;
  test.name = "T";
  Thread thread;
  thread.name = "P0";
  thread.register_names = {"r0"};
  thread.initial_registers = {Bits(64, 0)};
  test.program.threads.push_back(thread);
  return test;
}

Answer with_outcomes(std::initializer_list<std::int64_t> values, Verdict verdict) {
  Answer answer;
  answer.verdict = verdict;
  answer.shown.push_back({.kind = FinalTerm::Kind::thread_register});
  for (std::int64_t value : values)
    answer.states.push_back({.values = {value}, .executions = {}, .witness = {}});
  answer.states_complete = true;
  return answer;
}

}  // namespace

TEST_CASE("models differ by an outcome that only one of them has") {
  const LitmusTest test = one_register();
  const Answer more = with_outcomes({0, 1}, Verdict::allowed);
  const Answer less = with_outcomes({0}, Verdict::forbidden);
  const auto difference = difference_between(test, "A", more, "B", less);
  REQUIRE(difference);
  CHECK(difference->text == "T: P0:r0=1; only under A, not under B");
  CHECK(difference->execution == &more.states[1].witness);
  CHECK(difference_between(test, "B", less, "A", more)->text == difference->text);
  CHECK_FALSE(difference_between(test, "A", more, "B", more));
}

TEST_CASE("an answer that does not list all outcomes rules none out") {
  const LitmusTest test = one_register();
  const Answer more = with_outcomes({0, 1}, Verdict::allowed);
  Answer less = with_outcomes({0}, Verdict::allowed);
  less.states_complete = false;
  CHECK_FALSE(difference_between(test, "A", more, "B", less));
  less.verdict = Verdict::unknown;
  CHECK(difference_between(test, "A", more, "B", less)->text == "T: allowed under A, unknown under B");
}
