#include "src/cli/distinguish_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "solver/smt_engine/explain.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/cycle_options.hpp"
#include "src/cli/difference_search.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/supervision.hpp"
#include "src/generator/cycle_test.hpp"
#include "src/generator/model_difference.hpp"
#include "src/report/answer.hpp"
#include "src/report/explanation_text.hpp"
#include "src/report/trace.hpp"

namespace ptxmc {

namespace {

using generator::DecidedTest;

struct DistinguishOptions {
  CommonOptions common;
  CycleOptions cycles{
      .edges =
          "Pod**, Pos**, Rfe, Rfi, Fre, Coe, Rmw, DpAddrdR, DpDatadW, DpCtrldW, fence.sc.gpu.d**, "
          "fence.acq_rel.gpu.d**",
      .accesses = "weak, relaxed.gpu, acquire.gpu, release.gpu",
      .scopes = "gpu",
      .threads = 3};
  std::vector<std::string> models;
  DifferenceLimits limits;
  std::string file;  ///< --out
};

std::string tests_text(std::uint64_t tests) {
  return fmt::format("{} {}", tests, tests == 1 ? "test" : "tests");
}

/// The execution that one model allows, and why the other forbids it; or why the other has no answer.
std::string reasons_text(const DecidedTest& test, const std::vector<cat::Model>& models,
                         const DistinguishOptions& options) {
  if (!test.differs()) {
    const bool is_first = test.first.verdict == Verdict::unknown;
    return fmt::format("{} has no answer: {}\n", models[is_first ? 0 : 1].name,
                       is_first ? test.first.reason : test.second.reason);
  }
  const bool first_allows = test.first.verdict == Verdict::allowed;
  const Answer& allowed = first_allows ? test.first : test.second;
  const cat::Model& forbidding = models[first_allows ? 1 : 0];
  std::string text;
  if (allowed.witness)
    text += fmt::format("an execution of {}:\n{}", models[first_allows ? 0 : 1].name,
                        trace_text(*allowed.witness));
  const DecideOptions how = decide_options(options.common, budget_of(options.common));
  const Explanation why = explain_forbidden(test.test->program, test.test->question, forbidding, how);
  return text + fmt::format("{} forbids it:\n{}", forbidding.name, explanation_text(why, forbidding));
}

void print_text(const FoundDifference& found, const std::vector<cat::Model>& models,
                const DistinguishOptions& options) {
  const std::string& a = models[0].name;
  const std::string& b = models[1].name;
  if (found.difference) {
    const DecidedTest& test = *found.difference;
    print_output(
        "the smallest test on which {} and {} differ ({} before it): {} threads, {} instructions\n\n{}\n", a,
        b, tests_text(found.tests - 1), test.cycle.places.size(),
        generator::instructions_of(test.cycle.cycle), test.text);
    print_output("{}: {}\n{}: {}\n", a, verdict_text(test.first.verdict), b,
                 verdict_text(test.second.verdict));
    print_output("{}", reasons_text(test, models, options));
  } else {
    print_output("{} and {} do not differ on {} of at most {} instructions and {} threads{}\n", a, b,
                 tests_text(found.tests), found.instructions, options.cycles.threads,
                 found.is_complete ? "" : ", the last size not to its end");
  }
  if (!found.decided_by_one || options.limits.counts_undecided) return;
  const DecidedTest& one = *found.decided_by_one;
  const bool first_is_unknown = one.first.verdict == Verdict::unknown;
  print_output("note: {} has no answer ({}) where {} says {}, first for the cycle {}\n",
               first_is_unknown ? a : b, first_is_unknown ? one.first.reason : one.second.reason,
               first_is_unknown ? b : a,
               verdict_text(first_is_unknown ? one.second.verdict : one.first.verdict),
               generator::name_of(one.cycle.cycle));
}

void print_json(const FoundDifference& found, const std::vector<cat::Model>& models) {
  nlohmann::ordered_json line = {{"first", models[0].name},
                                 {"second", models[1].name},
                                 {"verdict", found.difference    ? "differs"
                                             : found.is_complete ? "same"
                                                                 : "unknown"},
                                 {"tests", found.tests}};
  if (found.difference) {
    const DecidedTest& test = *found.difference;
    line["cycle"] = generator::name_of(test.cycle.cycle);
    line["test"] = test.text;
    line["threads"] = test.cycle.places.size();
    line["instructions"] = generator::instructions_of(test.cycle.cycle);
    line["verdicts"] = {verdict_text(test.first.verdict), verdict_text(test.second.verdict)};
  }
  print_output("{}\n", line.dump());
}

ExitStatus distinguish(const DistinguishOptions& options) {
  catch_interruption();
  CommonOptions named = options.common;
  named.models = options.models;
  const std::vector<cat::Model> models = load_models(named);
  DifferenceLimits limits = options.limits;
  limits.tests = limits_of(options.cycles);
  const FoundDifference found = find_difference(models[0], models[1], limits, options.common);
  if (found.difference && !options.file.empty()) write_text_file(options.file, found.difference->text);
  if (!options.common.quiet && options.common.json) print_json(found, models);
  if (!options.common.quiet && !options.common.json) print_text(found, models, options);
  if (found.difference) return ExitStatus::violation;
  return found.is_complete ? ExitStatus::success : ExitStatus::unknown;
}

}  // namespace

void define_distinguish_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<DistinguishOptions>();
  options->common.timeout_seconds = 600;
  command.add_option("models", options->models, "two models: names or files")
      ->required()
      ->expected(2)
      ->type_name("MODEL");
  add_cycle_options(command, options->cycles);
  add_whole_number(
      command, "--size", {1, 12},
      [options](std::uint64_t n) { options->limits.instructions = static_cast<unsigned>(n); },
      "tests of at most so many instructions (default 6)");
  command.add_flag("--undecided", options->limits.counts_undecided,
                   "a test that only one of the models decides is a difference too");
  command.add_option("--out", options->file, "write the test to this file")->type_name("FILE");
  add_common_options(command, options->common);
  command.callback([options, &status] { status = distinguish(*options); });
}

}  // namespace ptxmc
