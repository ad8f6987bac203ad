#include "src/cli/check_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "semantics/language/text_file.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/cli/campaign.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/input_files.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/launch_judgement.hpp"
#include "src/cli/launch_options.hpp"
#include "src/cli/launch_states.hpp"
#include "src/cli/output.hpp"
#include "src/cli/progress_line.hpp"
#include "src/cli/supervised_drawing.hpp"
#include "src/cli/supervision.hpp"
#include "src/library/enumerations.hpp"
#include "src/library/handles.hpp"
#include "src/library/in_order.hpp"
#include "src/library/launch_drawing.hpp"
#include "src/report/drawing.hpp"
#include "src/report/excerpt.hpp"
#include "src/report/launch_findings.hpp"
#include "src/report/launch_json.hpp"
#include "src/report/launch_table.hpp"
#include "src/report/picture.hpp"
#include "src/report/sarif.hpp"
#include "src/report/trace.hpp"

namespace ptxmc {

namespace {

struct CheckOptions {
  CommonOptions common;
  CampaignOptions campaign;
  LaunchOptions launch;
  std::vector<std::string> paths;
  std::vector<std::string> properties;
  kernel::StatesQuestion states;
  std::string sarif;
  bool trace = false;
  bool verbose = false;
  bool markdown = false;
};

/// The result for a launch under a model: an answer or a failure.
struct CheckResult {
  std::string name;
  std::optional<kernel::CheckedLaunch> checked;
  std::vector<FindingText> findings;
  std::optional<Failure> failure;  ///< if there is no answer
  ExitStatus status = ExitStatus::success;
};

std::vector<LaunchProperty> asked_properties(const CheckOptions& options) {
  std::vector<LaunchProperty> result;
  for (const LaunchProperty property : all_launch_properties())
    if (options.properties.empty() ||
        std::ranges::find(options.properties, property_name(property)) != options.properties.end())
      result.push_back(property);
  return result;
}

struct NamedLaunch {
  v1::Launch launch;
  std::string name;
  double seconds_read = 0;  ///< spent on the launch file
};

/// The settings for every launch. Abandoned work may still use them, so each piece of work shares ownership.
struct AskedCheck {
  CheckOptions options;
  std::vector<LaunchProperty> properties;
  v1::Model model;
  std::vector<NamedLaunch> launches;
};

/// Decides a launch, and makes the texts of its findings.
CheckResult check_within(const AskedCheck& asked, std::size_t number, const Budget& budget) {
  v1::LaunchOptions options;
  set_library_options(asked.options.common, budget, options);
  options.model = asked.model;
  for (const LaunchProperty property : asked.properties) options.properties.push_back(to_public(property));
  const bool is_alone = asked.launches.size() == 1;
  if (is_alone && shows_progress(asked.options.common)) options.on_progress = shown_exploration();
  const v1::LaunchAnswer answer = v1::check(asked.launches[number].launch, options);
  CheckResult result;
  result.checked = std::move(answer.data->checked);
  result.findings = std::move(answer.data->findings);
  return result;
}

CheckResult check_supervised(const std::shared_ptr<const AskedCheck>& asked, std::size_t number) {
  const auto& [launch, name, seconds_read] = asked->launches[number];
  const Budget budget = budget_of(asked->options.common).begun_before(seconds_read);
  CheckResult result;
  try {
    result = supervised(budget, [asked, number, budget] { return check_within(*asked, number, budget); });
  } catch (const OutOfTime& out) {
    result.checked =
        kernel::unknown_launch(*launch.data(), asked->properties, out.what(), budget.seconds_spent());
  } catch (...) {
    result.failure = current_failure(launch.module().string());
    result.status = result.failure->status;
  }
  result.name = name;
  if (result.checked) result.status = exit_status_of(*result.checked, asked->properties);
  return result;
}

LaunchRow row_of(const CheckResult& result, const std::vector<LaunchProperty>& asked) {
  LaunchRow row;
  row.file = result.name;
  if (result.failure) row.reason = result.failure->reason();
  row.failed = result.status == ExitStatus::wrong_input || result.status == ExitStatus::internal_error;
  if (!result.checked) return row;
  row.verdicts = verdicts_of(*result.checked);
  row.expected = result.checked->launch.expected;
  row.as_expected = as_expected(*result.checked, asked);
  row.is_certain = result.checked->launch.is_certain;
  row.engine = result.checked->answer.engine;
  row.executions = result.checked->answer.executions;
  row.seconds = result.checked->seconds;
  row.reason = result.checked->unknown();
  return row;
}

/// `mp.toml: race, assertion, as expected`.
std::string verdict_line(const CheckResult& result, const std::vector<LaunchProperty>& asked) {
  const LaunchRow row = row_of(result, asked);
  std::string text = fmt::format("{}: {}", result.name, fmt::join(row.verdicts, ", "));
  if (!row.reason.empty())
    text += fmt::format("{}unknown ({})", row.verdicts.empty() ? "" : ", otherwise ", row.reason);
  if (row.as_expected == true) text += ", as expected";
  if (row.as_expected == false)
    text +=
        fmt::format(", expected {}{}", fmt::join(row.expected, ", "), row.is_certain ? "" : " (uncertain)");
  return text + "\n";
}

/// The steps that explain a finding, with their lines in the source.
std::string trace_of(const CheckResult& result, const FindingText& text) {
  const LaunchFinding& finding = result.checked->answer.findings[text.number];
  const kernel::SourceLines sources(*result.checked->module);
  return trace_text(finding.witness, events_that_explain(finding.witness, important_events(finding)),
                    [&](std::uint32_t line) { return place_text(sources, line); });
}

class CheckPrinter {
 public:
  CheckPrinter(const CheckOptions& options, std::string model, std::size_t launches)
      : options_(options), model_(std::move(model)), asked_(asked_properties(options)), launches_(launches) {}

  void print(const CheckResult& result) {
    if (result.failure)
      report_failure(*result.failure, options_.common.json && !options_.common.quiet, result.name, model_);
    rows_.push_back(row_of(result, asked_));
    if (!result.checked) return;
    const std::string module = result.checked->launch.module.string();
    if (!options_.sarif.empty())
      log_.push_back(
          {module, result.findings,
           traces_of(result.checked->answer, result.findings, kernel::SourceLines(*result.checked->module))});
    if (options_.common.quiet) return;
    if (options_.common.json) {
      print_output("{}\n", launch_json(*result.checked, result.findings, model_));
    } else if (!options_.markdown && (launches_ == 1 || options_.verbose)) {
      for (const FindingText& finding : result.findings) {
        print_output("{}", finding_text(finding, module));
        if (options_.trace) print_output("{}", trace_of(result, finding));
      }
      if (result.findings.empty() && !result.checked->assumed_zero.empty())
        print_output("{}: note: {}\n", result.name,
                     assumed_zero_note(result.checked->assumed_zero, how_to_say_content));
      print_output("{}", verdict_line(result, asked_));
    }
    flush_output();
  }

  void finish() const {
    if (options_.markdown)
      print_output("{}", launch_table_markdown(rows_));
    else if (launches_ > 1 && !options_.common.quiet && !options_.common.json)
      write_output(launch_table_text(rows_, use_color(options_.common)));
    if (options_.sarif.empty()) return;
    write_text_file(options_.sarif, sarif_log(log_, std::filesystem::current_path()));
  }

 private:
  const CheckOptions& options_;
  const std::string model_;
  const std::vector<LaunchProperty> asked_;
  const std::size_t launches_;
  std::vector<LaunchRow> rows_;
  std::vector<LaunchFindings> log_;
};

/// The excerpt of the execution behind a finding.
DrawnExecution drawn_finding(const CheckResult& result, const FindingText& text,
                             const std::shared_ptr<const kernel::SourceLines>& sources) {
  return drawn_finding(result.checked->answer.findings[text.number], text, result.name, sources);
}

/// One picture for each finding: `race.svg`, `race-2.svg`, …
void draw_findings(const CheckResult& result, const std::filesystem::path& path) {
  if (!result.checked) return;
  if (result.findings.empty())
    print_error("{}: no execution to draw: {} has no findings\n", path.string(), result.name);
  if (result.findings.empty()) return;
  const auto sources = std::make_shared<const kernel::SourceLines>(*result.checked->module);
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const DrawnExecution drawn = drawn_finding(result, result.findings[i], sources);
    write_witness(drawn.execution, numbered(path, i + 1), drawn.drawing);
  }
}

/// Draws within the rest of the launch's time limit.
ExitStatus draw_supervised(const std::shared_ptr<const CheckResult>& result, const CommonOptions& options) {
  const double seconds_decided = result->checked ? result->checked->seconds : 0;
  return draw_supervised(options, seconds_decided,
                         [result, path = options.witness] { draw_findings(*result, path); });
}

/// The launches of a file. Throws InputError, Unsupported and OutOfTime.
std::vector<NamedLaunch> find_launches(const std::string& file, const CheckOptions& options) {
  const Budget budget = budget_of(options.common);
  const auto launches =
      supervised(budget, [file, flags = options.launch] { return launches_of(file, flags); });
  std::vector<NamedLaunch> result;
  for (const kernel::Launch& launch : launches)
    result.push_back({v1::Launch(std::make_shared<const v1::Launch::Data>(launch)),
                      name_of(launch, launches.size() > 1), budget.seconds_spent()});
  return result;
}

/// The files of this shard.
std::vector<std::string> files_of(const CheckOptions& options) {
  std::vector<std::string> files = find_launch_files(options.paths);
  std::erase_if(files, [&](const auto& file) { return !options.campaign.shard.includes(input_name(file)); });
  return files;
}

/// All launches of all files of this shard. An error in a file is reported, and the other files are
/// processed.
std::vector<NamedLaunch> find_launches(const CheckOptions& options, ExitStatus& status) {
  std::vector<NamedLaunch> result;
  for (const std::string& file : files_of(options)) {
    try {
      for (NamedLaunch& launch : find_launches(file, options)) result.push_back(std::move(launch));
    } catch (...) {
      const Failure failure = reading_failure(file);
      report_failure(failure, options.common.json);
      status = graver(status, failure.status);
    }
  }
  return result;
}

/// Whether final states are asked for, in place of properties.
bool asks_for_states(const CheckOptions& options) {
  return !options.states.shown.empty() || !options.states.exists.empty();
}

ExitStatus report_all_states(const AskedCheck& asked, ExitStatus status) {
  for (const NamedLaunch& one : asked.launches) {
    if (interrupted()) return graver(status, ExitStatus::unknown);
    status = graver(status, report_states(std::make_shared<const AskedStates>(
                                AskedStates{asked.options.common, asked.model, one.launch, one.name,
                                            one.seconds_read, asked.options.states})));
  }
  return status;
}

/// The findings of a launch, and the executions behind them.
PagePart page_part(const std::shared_ptr<const CheckResult>& result, const CommonOptions& options) {
  if (!result->checked) return {};
  const std::string module = result->checked->launch.module.string();
  std::string text;
  for (const FindingText& finding : result->findings) text += finding_text(finding, module);
  const auto draw = [result, module] {
    std::vector<DrawnExecution> drawn;
    if (result->findings.empty()) return pictures_of(drawn, module);
    const auto sources = std::make_shared<const kernel::SourceLines>(*result->checked->module);
    for (std::size_t i = 0; i < std::min(result->findings.size(), most_pictures); ++i)
      drawn.push_back(drawn_finding(*result, result->findings[i], sources));
    return pictures_of(drawn, module);
  };
  return {"Findings", text, pictures_in_time(options, result->checked->seconds, draw)};
}

/// The answer to a launch, as it is printed.
RecordedResult recorded(const std::shared_ptr<const CheckResult>& shared, const AskedCheck& asked) {
  const CheckResult& result = *shared;
  const std::string& model = asked.model.name();
  return {result.checked ? launch_json(*result.checked, result.findings, model)
                         : failure_json(*result.failure, result.name, model),
          row_of(result, asked.properties),
          asked.options.campaign.pictures ? page_part(shared, asked.options.common) : PagePart()};
}

/// A file that cannot be read has one result.
RecordedResult recorded(const Failure& failure) {
  LaunchRow row;
  row.file = failure.file;
  row.reason = failure.reason();
  row.failed = true;
  return {failure_json(failure), row};
}

/// Decides all launches of a file, which is an input of a campaign.
std::optional<Record> record_of(const std::string& file, const std::shared_ptr<const AskedCheck>& shared) {
  Record record;
  record.input = file;
  record.files.push_back({file, content_fingerprint(file)});
  const auto add = [&](RecordedResult result, const std::optional<Failure>& failure, ExitStatus status) {
    record.results.push_back(std::move(result));
    if (failure) print_error("{}", failure->text);
    record.status = static_cast<int>(graver(static_cast<ExitStatus>(record.status), status));
  };
  try {
    auto asked = std::make_shared<AskedCheck>(*shared);
    asked->launches = find_launches(file, shared->options);
    for (std::size_t i = 0; i < asked->launches.size(); ++i) {
      if (interrupted()) return std::nullopt;
      const auto result = std::make_shared<const CheckResult>(check_supervised(asked, i));
      add(recorded(result, *asked), result->failure, result->status);
      const std::string module = asked->launches[i].launch.module().string();
      if (std::ranges::find(record.files, module, &RecordedFile::path) == record.files.end())
        record.files.push_back({module, content_fingerprint(module)});
    }
    if (shared->options.campaign.pictures)
      for (const RecordedFile& one : record.files) add_sources(record, {one.path});
  } catch (...) {
    const Failure failure = reading_failure(file);
    add(recorded(failure), failure, failure.status);
  }
  return record;
}

ExitStatus run_campaign(const CheckOptions& options, const v1::Model& model) {
  const auto asked =
      std::make_shared<const AskedCheck>(AskedCheck{options, asked_properties(options), model, {}});
  std::vector<std::string> names;
  for (const std::string& file : files_of(options)) names.push_back(input_name(file));
  return run_campaign(options.campaign, options.common, names,
                      [&](std::size_t i) { return record_of(names[i], asked); });
}

ExitStatus run(const CheckOptions& options) {
  catch_interruption();
  const std::vector<v1::Model> models = library_models(options.common);
  if (models.size() != 1)
    throw InputError("--model", {}, fmt::format("found {} models, expected one", models.size()));
  const v1::Model& model = models.front();
  if (has_records(options.campaign)) return run_campaign(options, model);
  ExitStatus status = ExitStatus::success;
  const auto asked = std::make_shared<const AskedCheck>(
      AskedCheck{options, asked_properties(options), model, find_launches(options, status)});
  const std::vector<NamedLaunch>& launches = asked->launches;
  if (!options.common.witness.empty() && launches.size() != 1)
    throw InputError("--witness", {}, fmt::format("found {} launches, expected one", launches.size()));
  if (asks_for_states(options)) return report_all_states(*asked, status);
  CheckPrinter printer(options, model.name(), launches.size());
  const auto work = [&](std::size_t i) {
    return std::make_shared<const CheckResult>(interrupted() ? CheckResult() : check_supervised(asked, i));
  };
  ProgressLine progress(launches.size(), options.common);
  if (!launches.empty()) progress.show(0, launches.front().name);
  const auto use = [&](std::size_t i, const std::shared_ptr<const CheckResult>& result) {
    progress.clear();
    if (result->name.empty()) {
      status = graver(status, ExitStatus::unknown);
      return;
    }
    printer.print(*result);
    status = graver(status, result->status);
    if (!options.common.witness.empty()) status = graver(status, draw_supervised(result, options.common));
    progress.show(i + 1, launches[std::min(i + 1, launches.size() - 1)].name);
  };
  in_order(launches.size(), job_count(options.common), work, use);
  progress.clear();
  printer.finish();
  if (interrupted()) print_error("interrupted: the results known so far are above\n");
  return status;
}

}  // namespace

void define_check_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<CheckOptions>();
  options->common.timeout_seconds = 300;
  std::vector<std::string> names;
  for (const LaunchProperty property : all_launch_properties()) names.emplace_back(property_name(property));
  add_launch_files(command, options->paths);
  add_launch_options(command, options->launch);
  command.add_option("--property", options->properties, "only this property; repeatable")
      ->check(CLI::IsMember(names))
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("NAME");
  command
      .add_option("--states", options->states.shown,
                  "show the final states: the values of these elements of memory, `out[0]`, or `out`")
      ->delimiter(',')
      ->type_name("ELEMENT,...");
  command.add_option("--exists", options->states.exists, "whether a final state satisfies this condition")
      ->type_name("CONDITION");
  command.add_option("--sarif", options->sarif, "write the findings as a SARIF log")->type_name("FILE");
  command.add_flag("--trace", options->trace, "print the steps of the execution behind each finding");
  command.add_flag("--markdown", options->markdown, "the table as a page in Markdown");
  command.add_flag("--verbose,-v", options->verbose, "findings of each launch, not only the table");
  // Final states are asked for in place of findings.
  for (const char* states : {"--states", "--exists"})
    for (const char* finding : {"--property", "--sarif", "--trace", "--markdown"})
      command.get_option(states)->excludes(command.get_option(finding));
  add_common_options(command, options->common);
  add_campaign_options(command, options->campaign);
  add_page_options(command, options->campaign);
  command.callback([options, &command, &status] {
    status = reporting_failures(options->common.json, "ptxmc", [&] {
      set_question(options->campaign, command);
      require_no_results_with(options->campaign, command,
                              {"--witness", "--states", "--exists", "--sarif", "--trace", "--markdown"});
      return run(*options);
    });
  });
}

}  // namespace ptxmc
