#include "src/report/difference_text.hpp"

#include <fmt/format.h>

#include "src/report/answer.hpp"
#include "src/report/explanation_text.hpp"
#include "src/report/trace.hpp"

namespace ptxmc {

using generator::DecidedTest;

namespace {

bool first_allows(const DecidedTest& test) { return test.first.verdict == Verdict::allowed; }

std::string reasons_text(const DecidedTest& test, const TwoModels& models,
                         const std::optional<Explanation>& why) {
  const std::string& first = models.first_name;
  const std::string& second = models.second_name;
  if (!test.differs()) {
    const bool is_first = test.first.verdict == Verdict::unknown;
    return fmt::format("{} has no answer: {}\n", is_first ? first : second,
                       is_first ? test.first.reason : test.second.reason);
  }
  const Answer& allowed = first_allows(test) ? test.first : test.second;
  std::string text;
  if (allowed.witness)
    text += fmt::format("an execution of {}:\n{}", first_allows(test) ? first : second,
                        trace_text(*allowed.witness));
  if (why)
    text += fmt::format("{} forbids it:\n{}", first_allows(test) ? second : first,
                        explanation_text(*why, models.forbidding(test)));
  return text;
}

}  // namespace

const cat::Model& TwoModels::forbidding(const DecidedTest& test) const {
  return first_allows(test) ? second : first;
}

std::string difference_text(const DecidedTest& test, const TwoModels& models,
                            const std::optional<Explanation>& why) {
  return fmt::format("{}\n{}: {}\n{}: {}\n{}", test.of.text, models.first_name,
                     verdict_text(test.first.verdict), models.second_name, verdict_text(test.second.verdict),
                     reasons_text(test, models, why));
}

}  // namespace ptxmc
