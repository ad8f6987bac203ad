#include "src/cli/generate_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "solver/engine/engine.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/cycle_options.hpp"
#include "src/cli/in_order.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/supervision.hpp"
#include "src/generator/cycle_events.hpp"
#include "src/generator/cycle_names.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/answer.hpp"

namespace ptxmc {

namespace {

using generator::Cycle;
using generator::CycleTest;

struct GenerateOptions {
  CommonOptions common;
  CycleOptions cycles{.edges = "Pod**, Rfe, Fre, Coe", .accesses = "weak", .scopes = "gpu", .threads = 4};
  std::vector<std::string> named;  ///< --cycle
  unsigned size = 4;
  std::string folder;
  bool only_counts = false;
  bool adds_expectations = false;
};

/// A test with its file.
struct Generated {
  CycleTest test;
  std::string name;
  std::string text = {};
};

/// Names of tests, each given once: MP, MP-2, MP-3, …
class Names {
 public:
  std::string unused(const std::string& name) {
    const unsigned used = ++used_[name];
    return used == 1 ? name : fmt::format("{}-{}", name, used);
  }

 private:
  std::map<std::string, unsigned> used_;
};

void for_each_asked(const GenerateOptions& options, const std::function<bool(const CycleTest&)>& use) {
  generator::CycleLimits limits = limits_of(options.cycles);
  limits.largest = options.size;
  if (options.named.empty()) return generator::for_each_test(limits, use);
  limits.accesses = {{}};
  for (const std::string& text : options.named) {
    const Cycle cycle = generator::from_first_access(generator::parse_cycle(text));
    if (!generator::is_observable(cycle))
      throw InputError(
          "--cycle", {},
          fmt::format("found '{}', expected a cycle that final states show: they tell which write of a "
                      "location is the last one, not the order of the writes before it",
                      text));
    limits.threads = std::max(limits.threads, generator::threads_of(cycle));
    for (const generator::ThreadPlaces& places : generator::placements_of(cycle, limits.scopes))
      if (!use({cycle, places})) return;
  }
}

/// Reads the text, so that only correct tests are written, and completes it with the models' verdicts.
void complete(Generated& generated, const GenerateOptions& options, const std::vector<cat::Model>& models) {
  generated.text = generator::text_of(generated.test, generated.name);
  const LitmusTest test = parse_litmus(generated.text, generated.name);
  if (!options.adds_expectations) return;
  std::vector<std::string> notes;
  for (const cat::Model& model : models) {
    DecideOptions how = decide_options(options.common, budget_of(options.common));
    how.all_states = false;
    const Answer answer =
        decide_with(*find_engine(options.common.engine), test.program, test.question, model, how);
    notes.push_back(fmt::format("expect {} {}", model.name, verdict_text(answer.verdict)));
  }
  generated.text = generator::text_of(generated.test, generated.name, notes);
}

void print(const Generated& generated, const GenerateOptions& options) {
  const std::string file =
      options.folder.empty()
          ? ""
          : (std::filesystem::path(options.folder) / (generated.name + ".litmus")).string();
  if (!file.empty()) write_text_file(file, generated.text);
  if (options.common.quiet) return;
  if (options.common.json)
    return print_output("{}\n",
                        nlohmann::ordered_json{{"name", generated.name},
                                               {"cycle", generator::name_of(generated.test.cycle)},
                                               {"threads", generated.test.places.size()},
                                               {"placement", generator::name_of(generated.test.places)},
                                               {"file", file}}
                            .dump());
  if (file.empty()) print_output("{}\n", generated.text);
}

ExitStatus count(const GenerateOptions& options) {
  std::uint64_t tests = 0;
  for_each_asked(options, [&](const CycleTest&) {
    ++tests;
    return !interrupted();
  });
  print_output("{} {}\n", tests, tests == 1 ? "test" : "tests");
  return interrupted() ? ExitStatus::unknown : ExitStatus::success;
}

ExitStatus generate(const GenerateOptions& options) {
  catch_interruption();
  if (options.only_counts) return count(options);
  const std::vector<cat::Model> models =
      options.adds_expectations ? load_models(options.common) : std::vector<cat::Model>();
  if (!options.folder.empty()) std::filesystem::create_directories(options.folder);
  constexpr std::size_t batch_size = 1'024;
  std::vector<Generated> batch;
  Names names;
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
  for_each_asked(options, [&](const CycleTest& test) {
    batch.push_back({test, names.unused(generator::name_of(test))});
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
      .add_option("--cycle", options->named,
                  "a cycle: edges, and before each edge the words of the access from which it starts "
                  "(`PodWW release.gpu Rfe acquire.gpu PodRR Fre`); may be given several times")
      ->type_name("CYCLE");
  add_cycle_options(command, options->cycles);
  add_whole_number(
      command, "--size", {2, 16}, [options](std::uint64_t n) { options->size = static_cast<unsigned>(n); },
      "cycles of at most so many edges (default 4)");
  command.add_option("--out", options->folder, "write a file for each test to this folder")->type_name("DIR");
  command.add_flag("--count", options->only_counts, "print only how many tests there are");
  command.add_flag("--expect", options->adds_expectations, "add the verdicts of the models as expectations");
  add_common_options(command, options->common);
  command.callback([options, &status] { status = generate(*options); });
}

}  // namespace ptxmc
