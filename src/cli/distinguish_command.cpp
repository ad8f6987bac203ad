#include "src/cli/distinguish_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/cycle_options.hpp"
#include "src/cli/difference_search.hpp"
#include "src/cli/difference_text.hpp"
#include "src/cli/input_files.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/line_differences.hpp"
#include "src/cli/line_differences_text.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/answer.hpp"

namespace ptxmc {

namespace {

using generator::DecidedTest;
using generator::SizedTest;

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
  std::vector<std::string> tests;  ///< --tests: files and folders
  std::string out;
  bool without_each_line = false;
  bool markdown = false;
};

/// Which tests were decided.
std::string decided_tests(std::uint64_t tests, unsigned instructions, bool is_complete,
                          const DistinguishOptions& options) {
  if (!options.tests.empty()) return tests_text(tests) + " of the given files";
  return fmt::format("{} of at most {} instructions and {} threads{}", tests_text(tests), instructions,
                     options.cycles.threads, is_complete ? "" : ", the last size not to its end");
}

void print_text(const FoundDifference& found, const TwoModels& models, const DistinguishOptions& options) {
  const std::string& a = models.first_name;
  const std::string& b = models.second_name;
  if (found.difference)
    print_output("the smallest test on which {} and {} differ ({} before it): {}\n\n{}", a, b,
                 tests_text(found.tests - 1), size_text(found.difference->of),
                 difference_text(*found.difference, models, options.common));
  else
    print_output("{} and {} do not differ on {}\n", a, b,
                 decided_tests(found.tests, found.instructions, found.is_complete, options));
  if (!found.decided_by_one || options.limits.counts_undecided) return;
  const DecidedTest& one = *found.decided_by_one;
  const bool first_is_unknown = one.first.verdict == Verdict::unknown;
  print_output("note: {} has no answer ({}) where {} says {}, first for {}\n", first_is_unknown ? a : b,
               first_is_unknown ? one.first.reason : one.second.reason, first_is_unknown ? b : a,
               verdict_text(first_is_unknown ? one.second.verdict : one.first.verdict),
               one.of.cycle.empty() ? one.of.name : "the cycle " + one.of.cycle);
}

void print_json(const FoundDifference& found, const TwoModels& models) {
  nlohmann::ordered_json line = {
      {"first", models.first_name},
      {"second", models.second_name},
      {"verdict", difference_verdict(found.difference.has_value(), found.is_complete)},
      {"tests", found.tests}};
  if (found.difference) add_difference(line, *found.difference);
  print_output("{}\n", line.dump());
}

ExitStatus distinguish_two(const std::vector<cat::Model>& models, const DifferenceLimits& limits,
                           const DistinguishOptions& options) {
  const TwoModels two{models[0], models[1], models[0].name, models[1].name};
  const FoundDifference found = find_difference(two.first, two.second, limits, options.common);
  if (found.difference && !options.out.empty()) write_text_file(options.out, found.difference->of.text);
  if (!options.common.quiet && options.common.json) print_json(found, two);
  if (!options.common.quiet && !options.common.json) print_text(found, two, options);
  if (found.difference) return ExitStatus::violation;
  return found.is_complete ? ExitStatus::success : ExitStatus::unknown;
}

/// A file for each line that has a difference, named after it: `37-MP+release.gpu+acquire.gpu.litmus`.
void write_tests(const LineDifferences& found, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const LineDifference& line : found.lines)
    if (line.difference)
      write_text_file(
          (folder / fmt::format("{}-{}.litmus", line.without.place.where.line, line.difference->of.name))
              .string(),
          line.difference->of.text);
}

ExitStatus distinguish_lines(const cat::Model& model, const DifferenceLimits& limits,
                             const DistinguishOptions& options) {
  const LineDifferences found = find_line_differences(model, limits, options.common);
  const std::string what = decided_tests(found.tests, found.instructions, found.is_complete, options);
  if (!options.out.empty()) write_tests(found, options.out);
  if (options.common.quiet) {
  } else if (options.common.json) {
    print_output("{}", line_differences_json(found, model));
  } else if (options.markdown) {
    print_output("{}", line_differences_markdown(found, model, what));
  } else {
    print_output("{}", line_differences_text(found, model, options.common));
    write_output(line_differences_table(found, model, what, use_color(options.common)));
  }
  const auto has_difference = [](const LineDifference& line) { return line.difference.has_value(); };
  if (std::ranges::any_of(found.lines, has_difference)) return ExitStatus::violation;
  return found.is_complete ? ExitStatus::success : ExitStatus::unknown;
}

/// The tests of `--tests`, without those of C++ if a model is of PTX. Throws InputError and Unsupported.
std::vector<SizedTest> given_tests(const std::vector<std::string>& paths,
                                   const std::vector<cat::Model>& models) {
  const bool is_of_ptx = std::ranges::any_of(models, &cat::Model::is_ptx);
  std::vector<SizedTest> result;
  for (const auto& file : find_litmus_files(paths)) {
    const std::string text = text_of_tests(file);
    for (LitmusTest& test : parse_tests(text, file))
      if (test.language == Language::ptx || !is_of_ptx)
        result.push_back(generator::sized_test_of(std::move(test), text));
  }
  if (!paths.empty() && result.empty()) throw InputError("--tests", {}, "found no test of PTX");
  return result;
}

ExitStatus distinguish(const DistinguishOptions& options) {
  catch_interruption();
  CommonOptions named = options.common;
  named.models = options.models;
  const std::vector<cat::Model> models = load_models(named);
  DifferenceLimits limits = options.limits;
  limits.tests = limits_of(options.cycles);
  limits.given = given_tests(options.tests, models);
  if (options.without_each_line) {
    if (models.size() != 1)
      throw InputError("--without-each-line", {},
                       fmt::format("found {} models, expected one", models.size()));
    return distinguish_lines(models.front(), limits, options);
  }
  if (options.markdown) throw InputError("--markdown", {}, "found two models, expected --without-each-line");
  if (models.size() != 2)
    throw InputError("ptxmc", {}, "found one model, expected two, or --without-each-line");
  return distinguish_two(models, limits, options);
}

}  // namespace

void define_distinguish_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<DistinguishOptions>();
  options->common.timeout_seconds = 600;
  command
      .add_option("models", options->models, "two models, or one with --without-each-line: names or files")
      ->required()
      ->expected(1, 2)
      ->type_name("MODEL");
  command.add_flag("--without-each-line", options->without_each_line,
                   "compare the model with itself without each axiom, definition and alternative");
  add_cycle_options(command, options->cycles);
  add_whole_number(
      command, "--size", {1, 12},
      [options](std::uint64_t n) { options->limits.instructions = static_cast<unsigned>(n); },
      "tests of at most so many instructions (default 6)");
  command.add_option("--tests", options->tests, "decide these litmus tests, in place of those of cycles")
      ->type_name("FILE|DIR");
  command.add_flag("--undecided", options->limits.counts_undecided,
                   "a test that only one of the models decides is a difference too");
  command
      .add_option("--out", options->out,
                  "write the test to this file; with --without-each-line the tests to this folder")
      ->type_name("FILE|DIR");
  command.add_flag("--markdown", options->markdown,
                   "with --without-each-line: a table in Markdown, a row for each line");
  add_common_options(command, options->common);
  command.callback([options, &status] { status = distinguish(*options); });
}

}  // namespace ptxmc
