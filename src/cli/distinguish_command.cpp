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
#include "src/cli/in_order.hpp"
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

using generator::CycleTest;
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
  unsigned instructions = 6;
  std::string file;  ///< --out
};

/// What a search has found.
struct Found {
  std::optional<DecidedTest> difference;
  std::optional<DecidedTest> decided_by_one;  ///< the smallest one
  std::uint64_t tests = 0;
  unsigned instructions = 0;  ///< of the tests that were decided last
  bool is_complete = false;   ///< all tests of the limits were decided
};

/// Decides tests in the order of their sizes, several at a time.
class Search {
 public:
  Search(const DistinguishOptions& options, std::vector<cat::Model> models)
      : options_(options), models_(std::move(models)), budget_(budget_of(options.common)) {}

  Found run() {
    const generator::CycleLimits limits = limits_of(options_.cycles);
    for (unsigned instructions = 1; instructions <= options_.instructions; ++instructions)
      for (unsigned threads = 1; threads <= limits.threads; ++threads)
        if (!decide_all(limits, threads, instructions)) return std::move(found_);
    found_.is_complete = true;
    return std::move(found_);
  }

 private:
  bool is_over() const {
    return interrupted() ||
           (options_.common.timeout_seconds > 0 && budget_.seconds_spent() > options_.common.timeout_seconds);
  }

  bool decide_all(const generator::CycleLimits& limits, unsigned threads, unsigned instructions) {
    constexpr std::size_t batch_size = 512;
    found_.instructions = instructions;
    return generator::for_each_test_of_size(limits, threads, instructions,
                                            [&](const CycleTest& test) {
                                              batch_.push_back(test);
                                              return batch_.size() < batch_size || decide_batch();
                                            }) &&
           decide_batch();
  }

  /// Returns whether the search goes on.
  bool decide_batch() {
    DecideOptions how = decide_options(options_.common, budget_);
    how.all_states = false;
    const Engine engine = *find_engine(options_.common.engine);
    in_order(
        batch_.size(), job_count(options_.common),
        [&](std::size_t i) {
          return is_over() ? std::optional<DecidedTest>()
                           : generator::decide_under_both(batch_[i], models_[0], models_[1], engine, how);
        },
        [&](std::size_t, std::optional<DecidedTest> decided) { note(std::move(decided)); });
    batch_.clear();
    return !found_.difference && !is_over();
  }

  void note(std::optional<DecidedTest> decided) {
    if (!decided || found_.difference) return;
    ++found_.tests;
    if (decided->differs())
      found_.difference = std::move(decided);
    else if (decided->is_decided_by_one() && !found_.decided_by_one)
      found_.decided_by_one = std::move(decided);
  }

  const DistinguishOptions& options_;
  const std::vector<cat::Model> models_;
  const Budget budget_;
  std::vector<CycleTest> batch_;
  Found found_;
};

std::string tests_text(std::uint64_t tests) {
  return fmt::format("{} {}", tests, tests == 1 ? "test" : "tests");
}

/// The execution that one model allows, and why the other forbids it.
std::string reasons_text(const DecidedTest& test, const std::vector<cat::Model>& models,
                         const DistinguishOptions& options) {
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

void print_text(const Found& found, const std::vector<cat::Model>& models,
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
  if (!found.decided_by_one) return;
  const DecidedTest& one = *found.decided_by_one;
  const bool first_is_unknown = one.first.verdict == Verdict::unknown;
  print_output("note: {} has no answer ({}) where {} says {}, first for the cycle {}\n",
               first_is_unknown ? a : b, first_is_unknown ? one.first.reason : one.second.reason,
               first_is_unknown ? b : a,
               verdict_text(first_is_unknown ? one.second.verdict : one.first.verdict),
               generator::name_of(one.cycle.cycle));
}

void print_json(const Found& found, const std::vector<cat::Model>& models) {
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
  const Found found = Search(options, models).run();
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
      [options](std::uint64_t n) { options->instructions = static_cast<unsigned>(n); },
      "tests of at most so many instructions (default 6)");
  command.add_option("--out", options->file, "write the test to this file")->type_name("FILE");
  add_common_options(command, options->common);
  command.callback([options, &status] { status = distinguish(*options); });
}

}  // namespace ptxmc
