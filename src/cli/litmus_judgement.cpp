#include "src/cli/litmus_judgement.hpp"

#include <algorithm>

namespace ptxmc {

namespace {

std::string_view word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::allowed:
      return "allowed";
    case Verdict::forbidden:
      return "forbidden";
    case Verdict::unknown:
      return "unknown";
  }
  return "";
}

}  // namespace

std::optional<bool> as_expected(const LitmusTest& test, const std::string& model, const Answer& answer) {
  const auto expectation =
      std::find_if(test.expectations.begin(), test.expectations.end(), [&](const Expectation& candidate) {
        return candidate.model == model && candidate.property == Expectation::Property::verdict;
      });
  if (expectation == test.expectations.end()) return std::nullopt;
  return expectation->word == word_for(answer.verdict);
}

ExitStatus exit_status_of(const LitmusTest& test, const std::string& model, const Answer& answer) {
  const auto expected = as_expected(test, model, answer);
  if (expected == true) return ExitStatus::success;
  if (answer.verdict == Verdict::unknown || (!expected && !answer.holds)) return ExitStatus::unknown;
  return !expected && *answer.holds ? ExitStatus::success : ExitStatus::violation;
}

}  // namespace ptxmc
