#include "src/cli/fences_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "semantics/language/text_file.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/cli/campaign.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/input_files.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/launch_options.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/progress_line.hpp"
#include "src/cli/supervision.hpp"
#include "src/compiler/strength.hpp"
#include "src/library/handles.hpp"
#include "src/library/in_order.hpp"
#include "src/report/fence_sarif.hpp"
#include "src/report/fence_text.hpp"

namespace ptxmc {
namespace {

struct FencesOptions {
  CommonOptions common;
  CampaignOptions campaign;
  LaunchOptions launch;
  std::vector<std::string> paths;
  v1::FenceOptions question;
  std::size_t most_repairs = 5;
  bool fix = false;
  bool markdown = false;
  std::string sarif;
};

/// The result for a test or a launch: an answer or a failure.
struct FenceResult : v1::FenceAnswer::Data {
  std::string file;   ///< the test or the launch
  std::string model;  ///< the name of the memory model
  std::optional<Failure> failure;
  ExitStatus status = ExitStatus::success;
};

using FenceResults = std::vector<FenceResult>;

/// The settings for every file. Abandoned work may still use them, so each piece of work shares ownership.
struct AskedFences {
  FencesOptions options;
  v1::Model model;      ///< of PTX
  v1::Model cpp_model;  ///< of C++ tests; the same if the options name one

  const v1::Model& model_of(const v1::Program& program) const {
    const auto* test = std::get_if<v1::LitmusTest>(&program);
    return test != nullptr && test->is_cpp() ? cpp_model : model;
  }
};

ExitStatus status_of(const FenceReport& report) {
  if (report.trials && report.trials->wrong > 0) return ExitStatus::unknown;
  if (report.property.empty()) return ExitStatus::unknown;
  if (!report.holds) return ExitStatus::violation;
  return report.is_complete ? ExitStatus::success : ExitStatus::unknown;
}

/// Runs a search, which ends in time by itself, with what it has found; only a run that does not is given up.
FenceResult reporting(const std::string& file, const Budget& budget, const CommonOptions& options,
                      const std::function<FenceResult()>& search) {
  FenceResult result;
  try {
    const Budget grace = budget.begun_before(0, budget.seconds_left() + 2);
    result = supervised(options.timeout_seconds > 0 ? grace : budget, search);
    result.status = status_of(result.report);
  } catch (const OutOfTime& out) {
    result.report.reason = out.what();
    result.status = ExitStatus::unknown;
  } catch (...) {
    result.failure = current_failure(file);
    result.status = result.failure->status;
  }
  result.file = file;
  return result;
}

FenceResult report_on(const v1::Program& program, const std::string& name,
                      const std::shared_ptr<const AskedFences>& asked, const Budget& budget) {
  const v1::Model& model = asked->model_of(program);
  FenceResult reported = reporting(name, budget, asked->options.common, [program, model, asked, budget] {
    v1::FenceOptions options = asked->options.question;
    set_library_options(asked->options.common, budget, options);
    options.model = model;
    FenceResult result;
    static_cast<v1::FenceAnswer::Data&>(result) = std::move(*v1::find_fences(program, options).data);
    return result;
  });
  reported.model = model.name();
  return reported;
}

bool is_launch(const std::filesystem::path& file) {
  return is_launch_file(file) || file.extension() == ".ptx";
}

/// Whether a file in a folder is an input.
bool is_test_or_launch(const std::filesystem::path& file) {
  return is_litmus_file(file) || is_launch_file(file);
}

FenceResults report_on_file(const std::filesystem::path& file,
                            const std::shared_ptr<const AskedFences>& asked) {
  FenceResults results;
  if (interrupted()) return results;
  const Budget budget = budget_of(asked->options.common);
  try {
    if (is_launch(file)) {
      const auto launches = supervised(
          budget, [file, flags = asked->options.launch] { return launches_of(file.string(), flags); });
      for (const kernel::Launch& launch : launches)
        results.push_back(report_on(v1::Launch(std::make_shared<const v1::Launch::Data>(launch)),
                                    name_of(launch, launches.size() > 1), asked,
                                    budget.begun_before(budget.seconds_spent())));
      return results;
    }
    const auto tests = supervised(budget, [file] { return v1::read_litmus(file); });
    const double seconds_read = budget.seconds_spent();
    for (const v1::LitmusTest& test : tests)
      results.push_back(report_on(test, test.file(), asked, budget.begun_before(seconds_read)));
  } catch (...) {
    FenceResult& failed = results.emplace_back();
    failed.file = file.string();
    failed.model = asked->model.name();
    failed.failure = reading_failure(failed.file);
    failed.status = failed.failure->status;
  }
  return results;
}

void print(const FenceResult& result, const AskedFences& asked) {
  const FencesOptions& options = asked.options;
  if (result.failure)
    return report_failure(*result.failure, options.common.json && !options.common.quiet, result.file,
                          result.model);
  if (options.common.quiet || options.markdown) return;
  if (options.common.json && !result.report.reason.empty())
    print_error("{}: note: {}\n", result.file, result.report.reason);
  if (options.common.json) return print_output("{}\n", fences_json(result.report, result.file, result.model));
  print_output("{}", fences_text(result.report, result.file, result.edited_file, options.most_repairs));
  if (result.edits) write_output(unified_diff(result.text, *result.edits, result.edited_file));
  if (!result.edits && !result.report.minimal.empty() && result.report.costs.front() != 0)
    print_output("{}: note: the changes cannot be written into this text\n", result.file);
}

void fix(const FenceResult& result) {
  if (!result.edits || result.edits->empty()) return;
  write_text_file(result.edited_file, with_edits(result.text, *result.edits));
}

/// The answers to a file, which is an input of a campaign.
Record record_of(const std::string& file, const FenceResults& results, const AskedFences& asked) {
  Record record;
  record.input = file;
  record.files.push_back({file, content_fingerprint(file)});
  ExitStatus status = ExitStatus::success;
  for (const FenceResult& result : results) {
    status = graver(status, result.status);
    if (result.failure) {
      print_error("{}", result.failure->text);
      record.results.push_back(
          {failure_json(*result.failure, result.file, result.model),
           TextRow{fmt::format("{}: {}\n", result.file, result.failure->reason()), false}});
      continue;
    }
    record.results.push_back(
        {fences_json(result.report, result.file, result.model),
         TextRow{fences_text(result.report, result.file, result.edited_file, asked.options.most_repairs),
                 result.status == ExitStatus::success}});
    const std::string& edited = result.edited_file;
    if (std::ranges::find(record.files, edited, &RecordedFile::path) == record.files.end() && !edited.empty())
      record.files.push_back({edited, content_fingerprint(edited)});
  }
  record.status = static_cast<int>(status);
  return record;
}

ExitStatus run_campaign(const std::vector<std::filesystem::path>& files,
                        const std::shared_ptr<const AskedFences>& asked) {
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(input_name(file));
  return run_campaign(asked->options.campaign, asked->options.common, names,
                      [&](std::size_t i) -> std::optional<Record> {
                        const FenceResults results = report_on_file(names[i], asked);
                        if (results.empty()) return std::nullopt;
                        return record_of(names[i], results, *asked);
                      });
}

ExitStatus run(const FencesOptions& options) {
  catch_interruption();
  const std::vector<v1::Model> models = library_models(options.common);
  if (models.size() != 1)
    throw InputError("--model", {}, fmt::format("found {} models, expected one", models.size()));
  const auto asked = std::make_shared<const AskedFences>(
      AskedFences{options, models.front(), library_models(options.common, Language::cpp).front()});
  auto files = find_input_files(options.paths, is_test_or_launch);
  std::erase_if(files, [&](const auto& file) { return !options.campaign.shard.includes(input_name(file)); });
  if (!options.campaign.results.empty()) return run_campaign(files, asked);
  if (files.empty()) return ExitStatus::success;  // none of this shard
  ExitStatus status = ExitStatus::success;
  ProgressLine progress(files.size(), options.common);
  progress.show(0, files.front().string());
  std::vector<FenceLog> log;
  std::vector<FenceRow> rows;
  const auto work = [&](std::size_t i) { return report_on_file(files[i], asked); };
  const auto use = [&](std::size_t i, const FenceResults& results) {
    progress.clear();
    if (results.empty()) status = graver(status, ExitStatus::unknown);
    for (const FenceResult& result : results) {
      print(result, *asked);
      if (options.markdown)
        rows.push_back({std::filesystem::path(result.file).stem().string(), result.report,
                        result.failure ? "no answer" : ""});
      if (options.fix) fix(result);
      if (!options.sarif.empty()) log.push_back({result.edited_file, result.report, result.fixes});
      status = graver(status, result.status);
    }
    flush_output();
    progress.show(i + 1, files[std::min(i + 1, files.size() - 1)].string());
  };
  in_order(files.size(), job_count(options.common), work, use);
  progress.clear();
  if (options.markdown) print_output("{}", fence_table_markdown(rows));
  if (!options.sarif.empty())
    write_text_file(options.sarif, fences_sarif(log, std::filesystem::current_path()));
  if (interrupted()) print_error("interrupted: the results known so far are above\n");
  return status;
}

}  // namespace

void define_fences_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<FencesOptions>();
  options->common.timeout_seconds = 60;
  command
      .add_option("files", options->paths,
                  "tests, launch files, folders of both, or a module and flags that say how to launch it")
      ->required()
      ->type_name("FILE|DIR");
  add_launch_options(command, options->launch);
  using Races = v1::FenceOptions::Races;
  const std::map<std::string, Races> clauses = {
      {"keep", Races::keep}, {"forbid", Races::forbid}, {"ignore", Races::ignore}};
  command
      .add_option_function<std::string>(
          "--races",
          [options, clauses](const std::string& name) { options->question.races = clauses.at(name); },
          "data races: none that the program does not have (keep), none (forbid), any (ignore)")
      ->check(CLI::IsMember({"keep", "forbid", "ignore"}))
      ->type_name("WHICH");
  command.add_flag("--same-outcomes", options->question.same_outcomes,
                   "keep the set of final states, in place of the condition");
  command
      .add_option_function<std::string>(
          "--cost",
          [options](const std::string& file) {
            read_costs(file);  // a mistake in it is reported once
            options->question.costs = file;
          },
          "a table of costs (TOML): weak, relaxed, acquire, release, acq_rel, sc; cta, cluster, gpu, sys; "
          "fence")
      ->type_name("FILE");
  using Trials = v1::FenceOptions::Trials;
  const std::map<std::string, Trials> trials = {{"said", Trials::said}, {"all", Trials::all}};
  command
      .add_option_function<std::string>(
          "--try", [options, trials](const std::string& name) { options->question.trials = trials.at(name); },
          "decide further programs, to see that the answer is right: those about which it says something "
          "(said), every assignment (all)")
      ->check(CLI::IsMember({"said", "all"}))
      ->type_name("WHICH");
  command.add_flag("--fix", options->fix, "write the cheapest assignment into the file");
  command.add_flag("--markdown", options->markdown, "a table in Markdown, a row for each test or launch");
  command.add_option("--sarif", options->sarif, "write the findings and their fixes as a SARIF 2.1.0 log")
      ->type_name("FILE");
  add_whole_number(
      command, "--repairs", {.lowest = 1},
      [options](std::uint64_t repairs) { options->most_repairs = repairs; }, "print at most N repairs")
      ->default_str(std::to_string(options->most_repairs));
  add_common_options(command, options->common);
  add_standard_option(command, options->common);
  add_campaign_options(command, options->campaign);
  command.callback([options, &command, &status] {
    status = reporting_failures(options->common.json, "ptxmc", [&] {
      set_question(options->campaign, command);
      require_no_results_with(options->campaign, command, {"--witness", "--sarif", "--markdown", "--fix"});
      return run(*options);
    });
  });
}

}  // namespace ptxmc
