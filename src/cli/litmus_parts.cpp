#include "src/cli/litmus_parts.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "semantics/language/diagnostic.hpp"
#include "src/cli/litmus_judgement.hpp"
#include "src/report/answer.hpp"

namespace ptxmc {

namespace {

InputError wrong_with_shard(const std::string& found, const std::string& expected) {
  return {"--shard",
          {},
          fmt::format("found {}, expected {}: the exploration of one test is divided", found, expected)};
}

VerdictJudgement judgement_of(Verdict verdict, const LitmusResult& result) {
  const LitmusTest& test = *result.test;
  Answer whole;
  whole.verdict = verdict;
  if (verdict != Verdict::unknown)
    whole.holds = (verdict == Verdict::allowed) == (test.question.quantifier == Quantifier::exists);
  return {whole.holds, as_expected(test, result.model, result.property, whole),
          static_cast<int>(exit_status_of(test, result.model, result.property, whole))};
}

PartOfAnswer part_of_answer(const LitmusResult& result) {
  PartOfAnswer part;
  for (const FinalState* state : ordered_states(*result.answer)) part.states.push_back(state->values);
  part.race = result.answer->voiding_race;
  for (const Verdict verdict : {Verdict::allowed, Verdict::forbidden, Verdict::unknown})
    part.judgements[verdict] = judgement_of(verdict, result);
  return part;
}

}  // namespace

bool divides_one_test(const std::vector<std::string>& paths, const CampaignOptions& options) {
  return options.shard.of > 1 && paths.size() == 1 && std::filesystem::is_regular_file(paths.front());
}

void require_divisible(const CampaignOptions& options, const CLI::App& command) {
  if (options.results.empty()) throw wrong_with_shard("no --results", "a file for `ptxmc merge`");
  for (const char* flag : {"--explain", "--html", "--pictures", "--property", "--race", "--progress"})
    if (command.get_option(flag)->count() > 0) throw wrong_with_shard(flag, "none");
  if (command.get_option("--model")->count() > 1) throw wrong_with_shard("several models", "one");
}

void mark_part(Record& record, const std::vector<LitmusResult>& results, const Shard& part) {
  if (results.size() != 1)
    throw wrong_with_shard(fmt::format("{} tests in {}", results.size(), record.input), "one");
  record.part = part;
  const LitmusResult& result = results.front();
  if (!result.answer) return;
  record.results.front().part = part_of_answer(result);
  record.status = static_cast<int>(ExitStatus::unknown);
}

}  // namespace ptxmc
