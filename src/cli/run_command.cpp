#include "src/cli/run_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "src/cli/failure.hpp"
#include "src/cli/input_files.hpp"
#include "src/cli/launch_options.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/library/handles.hpp"
#include "src/report/launch_findings.hpp"
#include "src/report/run_json.hpp"

namespace ptxmc {

namespace {

struct RunCommandOptions {
  std::vector<std::string> paths;
  LaunchOptions launch;
  std::optional<std::uint64_t> seed;
  std::uint64_t steps = kernel::RunOptions{}.step_limit;
  bool json = false;
  bool quiet = false;
};

void show(const kernel::Finding& finding, const kernel::SourceLines& sources, const std::string& file) {
  const SourcePosition where = finding.calls.empty() ? SourcePosition{} : finding.calls.front().where;
  const std::string place = where.line == 0 ? file : fmt::format("{}:{}:{}", file, where.line, where.column);
  const char* severity = finding.kind == "step-limit" ? "warning" : "error";
  print_output("{}: {}: {}: {}{}{}\n", place, severity, finding.kind, finding.message,
               finding.thread.empty() ? "" : ", ", finding.thread);
  constexpr std::size_t innermost = 11;  // are shown, and the first call; JSON has all of them
  const std::size_t first = finding.calls.empty() ? 0 : finding.calls.size() - 1;
  for (std::size_t i = 0; i < finding.calls.size(); ++i) {
    if (i == innermost && i < first) {
      print_output("    … {} more calls\n", first - i);
      i = first;
    }
    const kernel::CallPlace& call = finding.calls[i];
    const auto source = sources.of(call.where.line);
    const std::string text = source ? fmt::format(" ({})", kernel::short_source_text(*source)) : "";
    print_output("    in {} at line {}{}\n", call.function, call.where.line, text);
  }
}

void show_buffers(const kernel::RunResult& result) {
  for (const kernel::FinalBuffer& buffer : result.buffers)
    print_output("{}: {}[{}] = {{{}}}\n", buffer.name, buffer.type, buffer.elements.size(),
                 fmt::join(buffer.elements, ", "));
}

std::string summary_of(const kernel::Launch& launch, const kernel::RunResult& result) {
  std::string text = result.findings.empty() ? "no findings" : "findings";
  if (result.ignored != 0) text += fmt::format(" ({} accepted by 'ignore')", result.ignored);
  text += fmt::format(", {} instructions", result.instructions);
  if (result.launches != 1) text += fmt::format(" in the last of {} launches", result.launches);
  const kernel::Expectation expectation = kernel::compare_with_expected(launch, result);
  if (!expectation.contradicted.empty())
    text += fmt::format("; expected {}", fmt::join(launch.expected, ", "));
  if (!expectation.open.empty())
    text +=
        fmt::format("; expected {}, which this execution does not show", fmt::join(expectation.open, ", "));
  return text;
}

/// The exit status. A finding counts also if the file expects it; one execution never confirms `safe`.
ExitStatus status_of(const kernel::RunResult& result) {
  const auto is_limit = [](const kernel::Finding& finding) { return finding.kind == "step-limit"; };
  if (!std::ranges::all_of(result.findings, is_limit)) return ExitStatus::violation;
  return result.findings.empty() ? ExitStatus::success : ExitStatus::unknown;
}

void show(const kernel::Launch& launch, const std::string& name, const kernel::RunResult& result,
          const kernel::SourceLines& sources, bool quiet) {
  for (const kernel::Finding& finding : result.findings) show(finding, sources, launch.module.string());
  if (quiet) return;
  show_buffers(result);
  if (!result.assumed_zero.empty())
    print_output("{}: note: {}\n", name, assumed_zero_note(result.assumed_zero, how_to_say_content));
  print_output("{}: {}\n", name, summary_of(launch, result));
}

ExitStatus run_one(const kernel::Launch& launch, const std::string& name, const RunCommandOptions& options) {
  return reporting_failures(options.json, launch.module.string(), [&] {
    v1::RunOptions asked{options.seed, options.steps, {}};
    if (!options.json && !options.quiet)
      asked.on_output = [](const std::string& text) { print_output("{}", text); };
    const v1::RunAnswer answer = v1::run(v1::Launch(std::make_shared<const v1::Launch::Data>(launch)), asked);
    const auto& [executed, result, sources] = *answer.data;
    if (options.json)
      print_output("{}\n", run_json(executed, result, *sources, answer.output));
    else
      show(executed, name, result, *sources, options.quiet);
    return status_of(result);
  });
}

ExitStatus run_file(const std::string& file, const RunCommandOptions& options) {
  ExitStatus status = ExitStatus::success;
  const auto launches = launches_of(file, options.launch);
  for (const kernel::Launch& launch : launches)
    status = graver(status, run_one(launch, name_of(launch, launches.size() > 1), options));
  return status;
}

}  // namespace

void define_run_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<RunCommandOptions>();
  add_launch_files(command, options->paths);
  add_launch_options(command, options->launch);
  add_whole_number(
      command, "--seed", {}, [options](std::uint64_t seed) { options->seed = seed; },
      "a random interleaving; without it threads take turns");
  add_whole_number(
      command, "--steps", {.lowest = 1}, [options](std::uint64_t steps) { options->steps = steps; },
      "give up after so many instructions")
      ->default_str(std::to_string(options->steps));
  command.add_flag("--json", options->json, "one JSON object a line for each launch");
  command.add_flag("--quiet,-q", options->quiet, "print findings only");
  command.callback([options, &status] {
    for (const std::string& file : find_launch_files(options->paths))
      status =
          graver(status, reporting_failures(options->json, file, [&] { return run_file(file, *options); }));
  });
}

}  // namespace ptxmc
