#include "src/cli/common_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <thread>

#include "solver/limits/memory_limit.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/supervision.hpp"
#include "src/library/default_model.hpp"
#include "src/library/enumerations.hpp"

namespace ptxmc {

void add_common_options(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--model", options.models,
                  "a memory model: a name (see ptxmc model) or a .cat file; repeatable")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)  // further arguments are tests
      ->type_name("NAME|FILE.cat");
  command
      .add_option("--engine", options.engine, "what decides: auto, explorer, smt, both (which must agree)")
      ->check(CLI::IsMember({"auto", "explorer", "smt", "both"}))
      ->capture_default_str()
      ->type_name("NAME");
  constexpr std::uint64_t most_bound = ~std::uint32_t{0}, most_megabytes = 1'000'000'000, most_jobs = 1024,
                          most_count = 1'000'000'000;
  add_whole_number(
      command, "--bound", {.highest = most_bound},
      [&options](std::uint64_t bound) { options.bound = static_cast<unsigned>(bound); },
      "a loop's back edge is taken at most so many times")
      ->default_str(std::to_string(options.bound));
  add_seconds(command, "--timeout", options.timeout_seconds,
              fmt::format("seconds for each input, reading included; 0: no limit; {} when left out",
                          options.timeout_seconds));
  add_whole_number(
      command, "--memory", {.highest = most_megabytes},
      [&options](std::uint64_t megabytes) { options.memory_megabytes = megabytes; },
      "megabytes that the process may have; 0: no limit; three quarters of the memory when left out")
      ->type_name("MB");
  add_whole_number(
      command, "--events", {.lowest = 1, .highest = most_count},
      [&options](std::uint64_t events) { options.max_events = events; },
      "events that the threads may have together; as many as memory has room for when left out");
  add_whole_number(
      command, "--jobs,-j", {.highest = most_jobs},
      [&options](std::uint64_t jobs) { options.jobs = static_cast<unsigned>(jobs); },
      "how many inputs at a time; 0: one for each processor")
      ->default_str(std::to_string(options.jobs));
  command.add_option("--witness", options.witness, "draw the execution: .svg, .png, .dot or .txt")
      ->type_name("FILE");
  add_output_options(command, options);
}

void add_output_options(CLI::App& command, CommonOptions& options) {
  command.add_flag("--json", options.json, "one JSON object a line");
  command.add_flag("--quiet,-q", options.quiet, "print errors only");
  command.add_option("--color", options.color, "auto, always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str()
      ->type_name("WHEN");
}

void add_standard_option(CLI::App& command, CommonOptions& options) {
  command.add_option("--std", options.cpp_standard, "the release sequences of C++ tests: c++17, c++20")
      ->check(CLI::IsMember({"c++17", "c++20"}))
      ->capture_default_str()
      ->type_name("NAME");
}

void add_volatile_option(CLI::App& command, CommonOptions& options) {
  command
      .add_option(
          "--volatile", options.cpp_volatile,
          "what volatile accesses of C++ tests are: relaxed (atomic, at the scope of the system), plain")
      ->check(CLI::IsMember({"relaxed", "plain"}))
      ->capture_default_str()
      ->type_name("WORD");
}

std::vector<v1::Model> library_models(const CommonOptions& options, Language language) {
  const bool is_older = language == Language::cpp && options.cpp_standard == "c++17";
  std::vector<std::string> names = options.models;
  if (names.empty()) names.push_back(is_older ? "cpp-scoped-17" : default_model(language));
  std::vector<v1::Model> models;
  for (const std::string& name : names) {
    try {
      models.push_back(supervised(budget_of(options), [name] { return v1::Model(name); }));
    } catch (const OutOfTime& out) {
      throw OutOfTime(fmt::format("the model {}: {} while it was read", name, out.what()));
    } catch (const v1::Error& error) {
      if (error.kind != v1::Error::Kind::limit) throw;
      throw OutOfTime(fmt::format("the model {}: {} while it was read", name, error.what()));
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

Budget budget_of(const CommonOptions& options) {
  // By default an input which needs more memory is `unknown`, before the system ends the program.
  const std::uint64_t bytes =
      options.memory_megabytes ? *options.memory_megabytes * 1024 * 1024 : machine_memory() / 4 * 3;
  return Budget(options.timeout_seconds, bytes);
}

void set_library_options(const CommonOptions& options, const Budget& budget, v1::Options& result) {
  result.engine = engine_named(options.engine);
  result.bound = options.bound;
  result.max_events = options.max_events;
  result.timeout_seconds = budget.seconds_left();
  result.memory_bytes = budget.memory_bytes();
  result.executions = false;  // what is printed is made from the data behind the answer
  result.stop = &interrupted();
}

}  // namespace ptxmc
