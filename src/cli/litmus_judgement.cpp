#include "src/cli/litmus_judgement.hpp"

namespace ptxmc {

ExitStatus exit_status_of(const LitmusTest& test, const std::string& model, LitmusProperty property,
                          const Answer& answer) {
  const auto expected = as_expected(test, model, property, answer);
  if (expected == true) return ExitStatus::success;
  if (!expected && !test.expectations.empty()) return ExitStatus::success;
  if (answer.verdict == Verdict::unknown || (!expected && !answer.holds)) return ExitStatus::unknown;
  if (!expected && test.only_asks) return ExitStatus::success;
  return !expected && *answer.holds ? ExitStatus::success : ExitStatus::violation;
}

}  // namespace ptxmc
