#include "src/cli/difference_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "solver/smt_engine/explain.hpp"
#include "src/cli/supervision.hpp"
#include "src/report/answer.hpp"
#include "src/report/explanation_text.hpp"
#include "src/report/trace.hpp"

namespace ptxmc {

namespace {

using generator::DecidedTest;
using generator::SizedTest;

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string reasons_text(const DecidedTest& test, const TwoModels& models, const CommonOptions& options) {
  if (!test.differs()) {
    const bool is_first = test.first.verdict == Verdict::unknown;
    return fmt::format("{} has no answer: {}\n", is_first ? models.first_name : models.second_name,
                       is_first ? test.first.reason : test.second.reason);
  }
  const bool first_allows = test.first.verdict == Verdict::allowed;
  const Answer& allowed = first_allows ? test.first : test.second;
  const cat::Model& forbidding = first_allows ? models.second : models.first;
  std::string text;
  if (allowed.witness)
    text += fmt::format("an execution of {}:\n{}", first_allows ? models.first_name : models.second_name,
                        trace_text(*allowed.witness));
  const LitmusTest& asked = *test.of.test;
  const Explanation why = explain_forbidden(asked.program, asked.question, forbidding,
                                            decide_options(options, budget_of(options)));
  return text + fmt::format("{} forbids it:\n{}", first_allows ? models.second_name : models.first_name,
                            explanation_text(why, forbidding));
}

}  // namespace

std::string tests_text(std::uint64_t tests) { return counted(tests, "test"); }

std::string size_text(const SizedTest& test) {
  return counted(test.threads, "thread") + ", " + counted(test.instructions, "instruction");
}

std::string difference_text(const DecidedTest& test, const TwoModels& models, const CommonOptions& options) {
  return fmt::format("{}\n{}: {}\n{}: {}\n{}", test.of.text, models.first_name,
                     verdict_text(test.first.verdict), models.second_name, verdict_text(test.second.verdict),
                     reasons_text(test, models, options));
}

const char* difference_verdict(bool differs, bool is_complete) {
  return differs ? "differs" : is_complete ? "same" : "unknown";
}

void add_difference(nlohmann::ordered_json& line, const DecidedTest& test) {
  line["name"] = test.of.name;
  if (!test.of.cycle.empty()) line["cycle"] = test.of.cycle;
  line["test"] = test.of.text;
  line["threads"] = test.of.threads;
  line["instructions"] = test.of.instructions;
  line["verdicts"] = {verdict_text(test.first.verdict), verdict_text(test.second.verdict)};
}

}  // namespace ptxmc
