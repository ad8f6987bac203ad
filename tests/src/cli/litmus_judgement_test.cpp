#include "src/cli/litmus_judgement.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

LitmusTest expecting(const std::string& model, const std::string& word) {
  LitmusTest test;
  test.expectations.push_back({model, LitmusProperty::condition, word, {}});
  return test;
}

Answer answer(Verdict verdict, std::optional<bool> holds) {
  Answer answer;
  answer.verdict = verdict;
  answer.holds = holds;
  return answer;
}

const Answer allowed = answer(Verdict::allowed, true);
const Answer forbidden = answer(Verdict::forbidden, false);
const Answer unknown = answer(Verdict::unknown, std::nullopt);

}  // namespace

TEST_CASE("a file that expects something of the model is judged by that") {
  const LitmusTest test = expecting("ptx-8.7", "forbidden");
  CHECK(as_expected(test, "ptx-8.7", LitmusProperty::condition, forbidden) == true);
  CHECK(as_expected(test, "ptx-8.7", LitmusProperty::condition, allowed) == false);
  CHECK(exit_status_of(test, "ptx-8.7", LitmusProperty::condition, forbidden) == ExitStatus::success);
  CHECK(exit_status_of(test, "ptx-8.7", LitmusProperty::condition, allowed) == ExitStatus::violation);
  CHECK(exit_status_of(test, "ptx-8.7", LitmusProperty::condition, unknown) == ExitStatus::unknown);
  CHECK(exit_status_of(expecting("ptx-8.7", "unknown"), "ptx-8.7", LitmusProperty::condition, unknown) ==
        ExitStatus::success);
  CHECK(exit_status_of(expecting("ptx-8.7", "unknown"), "ptx-8.7", LitmusProperty::condition, allowed) ==
        ExitStatus::violation);
}

TEST_CASE("a file that expects nothing is judged by its quantified condition") {
  const LitmusTest test;
  CHECK(as_expected(test, "ptx-8.7", LitmusProperty::condition, forbidden) == std::nullopt);
  CHECK(exit_status_of(test, "ptx-8.7", LitmusProperty::condition, allowed) == ExitStatus::success);
  CHECK(exit_status_of(test, "ptx-8.7", LitmusProperty::condition, forbidden) == ExitStatus::violation);
  CHECK(exit_status_of(test, "ptx-8.7", LitmusProperty::condition, unknown) == ExitStatus::unknown);
}

TEST_CASE("a file that speaks of other models only agrees with any answer") {
  const LitmusTest test = expecting("ptx-6.4", "forbidden");
  for (const Answer& any : {allowed, forbidden, unknown}) {
    CHECK(as_expected(test, "ptx-8.7", LitmusProperty::condition, any) == std::nullopt);
    CHECK(exit_status_of(test, "ptx-8.7", LitmusProperty::condition, any) == ExitStatus::success);
  }
}

TEST_CASE("expectations of other properties say nothing about the verdict") {
  LitmusTest test;
  test.expectations.push_back({"ptx-8.7", LitmusProperty::race, "race", {}});
  CHECK(as_expected(test, "ptx-8.7", LitmusProperty::condition, allowed) == std::nullopt);
}
