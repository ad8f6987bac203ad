#include "src/report/herd_output.hpp"

#include <doctest/doctest.h>

#include "tests/src/report/sample_tests.hpp"

using namespace ptxmc;

namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("a forbidden outcome, in herd's form") {
  Answer answer = forbidden_answer();
  answer.holds = false;
  CHECK(herd_output(message_passing_test(Quantifier::exists), answer) ==
        "Test MP Allowed\n"
        "States 3\n"
        "1:r0=0; 1:r1=0;\n"
        "1:r0=0; 1:r1=1;\n"
        "1:r0=1; 1:r1=1;\n"
        "No\n"
        "Witnesses\n"
        "Positive: 0 Negative: 3\n"
        "Condition exists (1:r0=1 /\\ 1:r1=0)\n"
        "Observation MP Never 0 3\n"
        "Time MP 0.00\n"
        "\n");
}

TEST_CASE("an allowed outcome, with its executions counted") {
  Answer answer = allowed_answer();
  answer.holds = true;
  const std::string text = herd_output(message_passing_test(Quantifier::exists), answer);
  CHECK(has_line(text, "States 4"));
  CHECK(has_line(text, "1:r0=1; 1:r1=0;"));
  CHECK(has_line(text, "Ok"));
  CHECK(has_line(text, "Positive: 2 Negative: 5"));
  CHECK(has_line(text, "Observation MP Sometimes 2 5"));
}

TEST_CASE("the quantifier gives herd's word, and what a positive witness is") {
  Answer answer = allowed_answer();
  answer.holds = false;
  const std::string forbidden = herd_output(message_passing_test(Quantifier::not_exists), answer);
  CHECK(has_line(forbidden, "Test MP Forbidden"));
  CHECK(has_line(forbidden, "Positive: 5 Negative: 2"));
  CHECK(has_line(forbidden, "Condition ~exists (1:r0=1 /\\ 1:r1=0)"));
  CHECK(has_line(forbidden, "Observation MP Sometimes 2 5"));
  const std::string required = herd_output(message_passing_test(Quantifier::forall), answer);
  CHECK(has_line(required, "Test MP Required"));
  CHECK(has_line(required, "Positive: 2 Negative: 5"));
}

TEST_CASE("always is said when no state violates the condition") {
  Answer answer = allowed_answer();
  answer.states.resize(1);
  const LitmusTest test = message_passing_test(Quantifier::forall);
  answer.verdict = Verdict::forbidden;  // no execution violates it
  answer.holds = true;
  CHECK(has_line(herd_output(test, answer), "Observation MP Always 2 0"));
  answer.states_complete = false;
  CHECK(has_line(herd_output(test, answer), "Observation MP Always 2 0"));
  answer.verdict = Verdict::unknown;
  CHECK(has_line(herd_output(test, answer), "Observation MP Unknown 2 0"));
}

TEST_CASE("what is unknown says why and claims nothing") {
  Answer answer = forbidden_answer();
  answer.verdict = Verdict::unknown;
  answer.reason = "loop bound 2";
  answer.states_complete = false;
  const std::string text = herd_output(message_passing_test(Quantifier::exists), answer);
  CHECK(text.find("\nUnknown\nReason loop bound 2\nStates incomplete\nWitnesses\n") != std::string::npos);
  CHECK(has_line(text, "Observation MP Unknown 0 3"));
}

TEST_CASE("a forbidden verdict from an incomplete list of states is still never") {
  Answer answer = forbidden_answer();
  answer.holds = false;
  answer.states_complete = false;
  CHECK(has_line(herd_output(message_passing_test(Quantifier::exists), answer), "Observation MP Never 0 3"));
}

TEST_CASE("flags, memory, unsigned elements and marks") {
  Answer answer;
  answer.verdict = Verdict::allowed;
  answer.holds = true;
  answer.shown = {memory_of(0), memory_of(1, 2), memory_of(2), register_of(0, 1)};
  answer.states = {{.values = {-1, -1, 3, -4}, .matches = true, .executions = {}, .witness = {}},
                   {.values = {-2, 0, 3, 10}, .matches = false, .executions = {}, .witness = {}}};
  answer.states_complete = true;
  answer.flags = {"data-race", "mixed-size"};
  const LitmusTest test = message_passing_test(Quantifier::exists);
  const std::string text = herd_output(test, answer, {.mark_matches = true});
  CHECK(text.find(":> [x]=-2; a[2]=0; [cta0:s]=3; 0:r1=10;\n"
                  "*> [x]=-1; a[2]=18446744073709551615; [cta0:s]=3; 0:r1=-4;\n") != std::string::npos);
  CHECK(text.find("\nFlag data-race\nFlag mixed-size\nCondition ") != std::string::npos);
}
