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
#include "src/cli/differences.hpp"
#include "src/cli/input_files.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/supervision.hpp"

namespace ptxmc {

namespace {

struct DistinguishOptions {
  CommonOptions common;
  std::vector<std::string> models;
  v1::DistinguishOptions search;
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
                     options.search.cycles.threads, is_complete ? "" : ", the last size not to its end");
}

void print_text(const v1::Distinction& found, const v1::Model& first, const v1::Model& second,
                const DistinguishOptions& options) {
  const std::string& a = first.name();
  const std::string& b = second.name();
  if (found.difference)
    print_output("the smallest test on which {} and {} differ ({} before it): {}\n\n{}", a, b,
                 tests_text(found.tests - 1), size_text(found.difference->test), found.difference->text);
  else
    print_output("{} and {} do not differ on {}\n", a, b,
                 decided_tests(found.tests, found.instructions, found.complete, options));
  if (!found.undecided || options.search.undecided) return;
  const v1::Difference& one = *found.undecided;
  const bool first_is_unknown = one.first == v1::Verdict::unknown;
  print_output("note: {} has no answer ({}) where {} says {}, first for {}\n", first_is_unknown ? a : b,
               one.reason, first_is_unknown ? b : a, word_of(first_is_unknown ? one.second : one.first),
               one.test.cycle.empty() ? one.test.name : "the cycle " + one.test.cycle);
}

void print_json(const v1::Distinction& found, const v1::Model& first, const v1::Model& second) {
  nlohmann::ordered_json line = {{"first", first.name()},
                                 {"second", second.name()},
                                 {"verdict", difference_word(found.difference.has_value(), found.complete)},
                                 {"tests", found.tests}};
  if (found.difference) add_difference(line, *found.difference);
  print_output("{}\n", line.dump());
}

void print_reason(const std::string& reason) {
  if (!reason.empty()) print_error("ptxmc: the search was given up: {}\n", reason);
}

ExitStatus distinguish_two(const v1::Model& first, const v1::Model& second,
                           const DistinguishOptions& options) {
  const v1::Distinction found = v1::distinguish(first, second, options.search);
  print_reason(found.reason);
  if (found.difference && !options.out.empty()) write_text_file(options.out, found.difference->test.text);
  if (!options.common.quiet && options.common.json) print_json(found, first, second);
  if (!options.common.quiet && !options.common.json) print_text(found, first, second, options);
  if (found.difference) return ExitStatus::violation;
  return found.complete ? ExitStatus::success : ExitStatus::unknown;
}

/// A file for each line that has a difference, named after it: `37-MP+release.gpu+acquire.gpu.litmus`.
void write_tests(const v1::LineDistinction& found, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const v1::LineDifference& line : found.lines)
    if (line.difference)
      write_text_file((folder / fmt::format("{}-{}.litmus", line.line, line.difference->test.name)).string(),
                      line.difference->test.text);
}

ExitStatus distinguish_lines(const v1::Model& model, const DistinguishOptions& options) {
  const v1::LineDistinction found = v1::distinguish_lines(model, options.search);
  print_reason(found.reason);
  const std::string what = decided_tests(found.tests, found.instructions, found.complete, options);
  if (!options.out.empty()) write_tests(found, options.out);
  if (options.common.quiet) {
  } else if (options.common.json) {
    print_output("{}", line_differences_json(found, model.name()));
  } else if (options.markdown) {
    print_output("{}", line_differences_markdown(found, model.name(), what));
  } else {
    print_output("{}", line_differences_text(found));
    write_output(line_differences_table(found, model.name(), what, use_color(options.common)));
  }
  const auto has_difference = [](const v1::LineDifference& line) { return line.difference.has_value(); };
  if (std::ranges::any_of(found.lines, has_difference)) return ExitStatus::violation;
  return found.complete ? ExitStatus::success : ExitStatus::unknown;
}

/// The tests of `--tests`. Throws v1::Error.
std::vector<v1::LitmusTest> given_tests(const std::vector<std::string>& paths) {
  std::vector<v1::LitmusTest> result;
  for (const auto& file : find_litmus_files(paths))
    for (v1::LitmusTest& test : v1::read_litmus(file)) result.push_back(std::move(test));
  return result;
}

ExitStatus distinguish(DistinguishOptions options) {
  catch_interruption();
  CommonOptions named = options.common;
  named.models = options.models;
  const std::vector<v1::Model> models = library_models(named);
  set_library_options(options.common, budget_of(options.common), options.search);
  options.search.jobs = job_count(options.common);
  options.search.executions = !options.common.quiet && !options.common.json && !options.markdown;
  options.search.tests = given_tests(options.tests);
  if (options.without_each_line) {
    if (models.size() != 1)
      throw InputError("--without-each-line", {},
                       fmt::format("found {} models, expected one", models.size()));
    return distinguish_lines(models.front(), options);
  }
  if (options.markdown) throw InputError("--markdown", {}, "found two models, expected --without-each-line");
  if (models.size() != 2)
    throw InputError("ptxmc", {}, "found one model, expected two, or --without-each-line");
  return distinguish_two(models[0], models[1], options);
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
  add_cycle_options(command, options->search.cycles);
  add_whole_number(
      command, "--size", {1, 12},
      [options](std::uint64_t n) { options->search.instructions = static_cast<unsigned>(n); },
      "tests of at most so many instructions (default 6)");
  command.add_option("--tests", options->tests, "decide these litmus tests, in place of those of cycles")
      ->type_name("FILE|DIR");
  command.add_flag("--undecided", options->search.undecided,
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
