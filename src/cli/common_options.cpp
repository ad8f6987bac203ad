#include "src/cli/common_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <thread>

#include "model/embedded_models.hpp"
#include "solver/time_limit.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/supervision.hpp"

namespace ptxmc {

void add_common_options(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--model", options.models,
                  "a memory model: a name (see ptxmc model) or a .cat file; repeatable")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)  // what follows are tests
      ->type_name("NAME|FILE.cat");
  command
      .add_option("--engine", options.engine, "what decides: auto, explorer, smt, both (which must agree)")
      ->check(CLI::IsMember({"auto", "explorer", "smt", "both"}))
      ->capture_default_str()
      ->type_name("NAME");
  command.add_option("--bound", options.bound, "a loop's back edge is taken at most so many times")
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--timeout", options.timeout_seconds, "seconds for each test and model; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->type_name("S");
  command.add_option("--memory", options.memory_megabytes, "megabytes for each test and model; 0: no limit")
      ->type_name("MB");
  command.add_option("--jobs,-j", options.jobs, "how many tests at a time; 0: one for each processor")
      ->capture_default_str()
      ->type_name("N");
  command.add_flag("--json", options.json, "one JSON object a line");
  command.add_option("--witness", options.witness, "draw the execution: .svg, .png, .dot or .txt")
      ->type_name("FILE");
  command.add_flag("--quiet,-q", options.quiet, "print errors only");
  command.add_option("--color", options.color, "auto, always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str()
      ->type_name("WHEN");
}

std::string default_model() {
  std::string newest;
  for (const EmbeddedModel& model : embedded_models()) {
    const std::string name(model.file_name.substr(0, model.file_name.rfind(".cat")));
    if (name.starts_with("ptx-")) newest = std::max(newest, name);
  }
  return newest;
}

std::vector<cat::Model> load_models(const CommonOptions& options) {
  std::vector<std::string> names = options.models;
  if (names.empty()) names.push_back(default_model());
  std::vector<cat::Model> models;
  for (const std::string& name : names) {
    try {
      models.push_back(supervised(Budget(options), [name] { return cat::load(name); }));
    } catch (const OutOfTime& out) {
      throw OutOfTime(fmt::format("the model {}: {} while it was read", name, out.what()));
    }
  }
  return models;
}

bool use_color(const CommonOptions& options) {
  if (options.color != "auto") return options.color == "always";
  return isatty(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr;
}

unsigned job_count(const CommonOptions& options) {
  return options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
}

DecideOptions decide_options(const CommonOptions& options, const Budget& budget) {
  DecideOptions result;
  result.bound = options.bound;
  result.timeout_seconds = budget.seconds_left();
  result.memory_bytes = budget.memory_bytes();
  result.interrupted = &interrupted();
  return result;
}

}  // namespace ptxmc
