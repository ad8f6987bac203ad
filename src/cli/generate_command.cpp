#include "src/cli/generate_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "semantics/language/text_file.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/cycle_options.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/supervision.hpp"
#include "src/library/handles.hpp"
#include "src/library/in_order.hpp"

namespace ptxmc {

namespace {

struct GenerateOptions {
  CommonOptions common;
  v1::GenerateOptions tests;
  std::string folder;
  bool only_counts = false;
  bool adds_expectations = false;
};

/// Reads the text, so that only correct tests are written, and completes it with the models' verdicts.
void complete(v1::SmallTest& made, const GenerateOptions& options, const std::vector<v1::Model>& models) {
  const v1::LitmusTest test = v1::parse_litmus(made.text, made.name);
  if (!options.adds_expectations) return;
  std::vector<std::string> notes;
  for (const v1::Model& model : models) {
    v1::LitmusOptions how;
    set_library_options(options.common, budget_of(options.common), how);
    how.model = model;
    how.all_states = false;
    notes.push_back(fmt::format("expect {} {}", model.name(), v1::decide(test, how).word));
  }
  made.text = generator::text_of(made.data->made_of, made.name, notes);
}

void print(const v1::SmallTest& made, const GenerateOptions& options) {
  const std::string file = options.folder.empty()
                               ? ""
                               : (std::filesystem::path(options.folder) / (made.name + ".litmus")).string();
  if (!file.empty()) write_text_file(file, made.text);
  if (options.common.quiet) return;
  if (options.common.json)
    return print_output("{}\n", nlohmann::ordered_json{{"name", made.name},
                                                       {"cycle", made.cycle},
                                                       {"threads", made.threads},
                                                       {"placement", made.placement},
                                                       {"file", file}}
                                    .dump());
  if (file.empty()) print_output("{}\n", made.text);
}

ExitStatus count(const GenerateOptions& options) {
  const std::uint64_t tests = v1::count_generated(options.tests, &interrupted());
  print_output("{} {}\n", tests, tests == 1 ? "test" : "tests");
  return interrupted() ? ExitStatus::unknown : ExitStatus::success;
}

ExitStatus generate(const GenerateOptions& options) {
  catch_interruption();
  if (options.only_counts) return count(options);
  const std::vector<v1::Model> models =
      options.adds_expectations ? library_models(options.common) : std::vector<v1::Model>();
  if (!options.folder.empty()) std::filesystem::create_directories(options.folder);
  constexpr std::size_t batch_size = 1'024;
  std::vector<v1::SmallTest> batch;
  std::uint64_t written = 0;
  const auto finish_batch = [&] {
    in_order(
        batch.size(), job_count(options.common),
        [&](std::size_t i) {
          complete(batch[i], options, models);
          return true;
        },
        [&](std::size_t i, bool) { print(batch[i], options); });
    written += batch.size();
    batch.clear();
  };
  v1::generate(options.tests, [&](const v1::SmallTest& test) {
    batch.push_back(test);
    if (batch.size() == batch_size) finish_batch();
    return !interrupted();
  });
  finish_batch();
  if (!options.folder.empty() && !options.common.quiet && !options.common.json)
    print_output("{} {} in {}\n", written, written == 1 ? "test" : "tests", options.folder);
  return interrupted() ? ExitStatus::unknown : ExitStatus::success;
}

}  // namespace

void define_generate_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<GenerateOptions>();
  options->common.timeout_seconds = 60;
  command
      .add_option("--cycle", options->tests.named,
                  "a cycle: edges, and before each edge the words of the access from which it starts "
                  "(`PodWW release.gpu Rfe acquire.gpu PodRR Fre`); may be given several times")
      ->type_name("CYCLE");
  add_cycle_options(command, options->tests.cycles);
  add_whole_number(
      command, "--size", {2, 16},
      [options](std::uint64_t n) { options->tests.size = static_cast<unsigned>(n); },
      "cycles of at most so many edges (default 4)");
  command.add_option("--out", options->folder, "write a file for each test to this folder")->type_name("DIR");
  command.add_flag("--count", options->only_counts, "print only how many tests there are");
  command.add_flag("--expect", options->adds_expectations, "add the verdicts of the models as expectations");
  add_common_options(command, options->common);
  command.callback([options, &status] { status = generate(*options); });
}

}  // namespace ptxmc
