#include "src/cli/litmus_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "solver/limits/time_limit.hpp"
#include "src/cli/campaign.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/diagnostics.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/input_files.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/litmus_cuda.hpp"
#include "src/cli/litmus_judgement.hpp"
#include "src/cli/litmus_parts.hpp"
#include "src/cli/litmus_pictures.hpp"
#include "src/cli/litmus_result.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/progress_line.hpp"
#include "src/cli/supervised_drawing.hpp"
#include "src/cli/supervision.hpp"
#include "src/library/enumerations.hpp"
#include "src/library/handles.hpp"
#include "src/library/in_order.hpp"
#include "src/report/answer.hpp"
#include "src/report/comparison.hpp"
#include "src/report/explanation_text.hpp"
#include "src/report/herd_output.hpp"
#include "src/report/json.hpp"
#include "src/report/table.hpp"

namespace ptxmc {

namespace {

struct LitmusOptions {
  CommonOptions common;
  CampaignOptions campaign;
  std::vector<std::string> paths;
  bool executions = false;
  bool verdict_only = false;
  std::size_t max_states = v1::LitmusOptions{}.max_states;
  std::size_t witnesses = 1;   ///< the number of pictures
  std::filesystem::path cuda;  ///< the folder for programs of CUDA; empty: none are written
  bool verbose = false;
  bool explain = false;
  LitmusProperty property = LitmusProperty::condition;
  v1::Scheduling scheduling = v1::Scheduling::fair;
  unsigned jobs_for_each = 1;   ///< jobs within a test, if there is only one
  bool shows_progress = false;  ///< shows the explorer's progress on standard error
};

/// All results of one file; a file that cannot be read has one result.
using LitmusResults = std::vector<LitmusResult>;

/// The settings for every file. Abandoned work may still use them, so each piece of work shares ownership.
struct AskedLitmus {
  LitmusOptions options;
  std::vector<v1::Model> models;      ///< for tests of PTX
  std::vector<v1::Model> cpp_models;  ///< as many for tests of C++

  const std::vector<v1::Model>& models_for(const LitmusTest& test) const {
    return test.language == Language::cpp ? cpp_models : models;
  }
};

v1::LitmusOptions library_options(const LitmusOptions& options, const v1::Model& model,
                                  const Budget& budget) {
  v1::LitmusOptions result;
  set_library_options(options.common, budget, result);
  result.model = model;
  result.property = to_public(options.property);
  result.scheduling = options.scheduling;
  result.count_executions = options.executions;
  result.all_states = !options.verdict_only;
  result.max_states = options.max_states;
  result.jobs = options.jobs_for_each;
  if (options.campaign.divides_input)
    result.part = v1::Part{options.campaign.shard.number, options.campaign.shard.of};
  if (options.shows_progress) result.on_progress = shown_exploration();
  return result;
}

/// Why the verdict is what it is, by the library.
Reasons reasons_for(Verdict verdict, const v1::LitmusTest& test, const v1::Model& model,
                    const LitmusOptions& options, const Budget& budget) {
  const auto asked = [&](v1::Options& how) {
    set_library_options(options.common, budget, how);
    how.model = model;
    how.jobs = options.jobs_for_each;
  };
  Reasons reasons;
  if (verdict == Verdict::forbidden) {
    v1::Options how;
    asked(how);
    reasons.forbidden = v1::explain(test, how).data->found;
  }
  if (verdict == Verdict::allowed && test.is_cpp()) {
    reasons.allowed.emplace().reason = "strength is added to tests of PTX only";
  } else if (verdict == Verdict::allowed) {
    v1::FenceOptions how;
    asked(how);
    how.engine = v1::Engine::automatic;
    reasons.allowed = v1::find_fences(test, how).data->report;
  }
  return reasons;
}

LitmusResult decide_under(const v1::LitmusTest& test, const v1::Model& model, const LitmusOptions& options,
                          const Budget& budget) {
  LitmusResult result;
  const v1::LitmusAnswer answer = v1::decide(test, library_options(options, model, budget));
  PropertyAnswer& decided = answer.data->decided;
  result.answer = std::move(decided.answer);
  result.findings = std::move(decided.findings);
  result.highlighted = std::move(decided.highlighted);
  return result;
}

/// Finds reasons within the rest of the time limit.
Reasons find_reasons(Verdict verdict, const v1::LitmusTest& test, std::size_t model_number,
                     const std::shared_ptr<const AskedLitmus>& asked, const Budget& budget) {
  try {
    return supervised(budget, [=] {
      return reasons_for(verdict, test, asked->models_for(*test.data())[model_number], asked->options,
                         budget);
    });
  } catch (const OutOfTime& out) {
    Reasons none;
    if (verdict == Verdict::forbidden) none.forbidden.emplace().reason = out.what();
    if (verdict == Verdict::allowed) none.allowed.emplace().reason = out.what();
    return none;
  }
}

LitmusResult decide_supervised(const v1::LitmusTest& test, std::size_t model_number,
                               const std::shared_ptr<const AskedLitmus>& asked, const Budget& budget) {
  const v1::Model& model = asked->models_for(*test.data())[model_number];
  const LitmusProperty property = asked->options.property;
  LitmusResult result;
  try {
    result = supervised(
        budget, [test, model, asked, budget] { return decide_under(test, model, asked->options, budget); });
    if (asked->options.explain && property == LitmusProperty::condition)
      result.reasons = find_reasons(result.answer->verdict, test, model_number, asked, budget);
  } catch (const OutOfTime& out) {
    result.answer = unknown_answer(*test.data(), property, out.what(), budget.seconds_spent()).answer;
  } catch (...) {
    result.answer.reset();
    result.failure = current_failure(test.file());
    result.status = result.failure->status;
  }
  result.file = test.file();
  result.model = model.name();
  result.definition = model.data().get();
  result.test = test.data();
  result.property = property;
  if (result.answer) result.status = exit_status_of(*test.data(), model.name(), property, *result.answer);
  return result;
}

/// Decides each test under each model, each with the time limit less the time for reading the file.
LitmusResults decide_file(const std::filesystem::path& file,
                          const std::shared_ptr<const AskedLitmus>& asked) {
  LitmusResults results;
  if (interrupted()) return results;
  const Budget budget = budget_of(asked->options.common);
  try {
    const auto tests = supervised(budget, [file] { return v1::read_litmus(file); });
    const double seconds_read = budget.seconds_spent();
    for (const v1::LitmusTest& read : tests) {
      const bool has_plain_volatile = asked->options.common.cpp_volatile == "plain";
      const v1::LitmusTest test = has_plain_volatile ? v1::with_plain_volatile(read) : read;
      for (std::size_t model = 0; model < asked->models.size(); ++model)
        results.push_back(decide_supervised(test, model, asked, budget.begun_before(seconds_read)));
    }
  } catch (...) {
    LitmusResult& failed = results.emplace_back();
    failed.file = file.string();
    failed.failure = reading_failure(failed.file);
    failed.status = failed.failure->status;
  }
  return results;
}

TableRow row_of(const LitmusResult& result) {
  if (result.answer) {
    TableRow row = table_row(result.test->name, result.model, *result.answer,
                             as_expected(*result.test, result.model, result.property, *result.answer));
    row.word = property_word(result.property, row.verdict);
    row.file = result.file;
    if (is_undefined(*result.test, *result.answer)) row.reason = "undefined behaviour (data race)";
    return row;
  }
  TableRow row;
  row.name = result.test ? result.test->name : result.file;
  row.file = result.file;
  row.model = result.model;
  row.reason = result.failure->reason();
  row.failed = true;
  return row;
}

std::string json_of(const LitmusResult& result, bool explain) {
  if (explain && result.property == LitmusProperty::condition)
    return explained_json(*result.test, *result.answer, *result.definition, result.answer->engine,
                          result.reasons);
  if (result.property == LitmusProperty::condition)
    return litmus_json(*result.test, *result.answer, result.model, result.answer->engine);
  return property_json(*result.test, std::string(words_of(result.property).fault), *result.answer,
                       result.findings, result.model, result.answer->engine);
}

std::string text_of(const LitmusResult& result) {
  if (result.property == LitmusProperty::condition) return herd_output(*result.test, *result.answer);
  return property_text(*result.test, result.property, {*result.answer, result.findings});
}

/// The lines about models under which tests have other outcomes than under the first one. The results are
/// those of one file, for each test those of all models.
std::vector<std::string> differences_between(const LitmusResults& results, std::size_t models) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < results.size(); i += models)
    for (std::size_t k = i + 1; k < std::min(i + models, results.size()); ++k) {
      if (!results[i].answer || !results[k].answer) continue;
      const auto difference = difference_between(*results[i].test, results[i].model, *results[i].answer,
                                                 results[k].model, *results[k].answer);
      if (difference) texts.push_back(difference->text);
    }
  return texts;
}

std::string reasons_text(const LitmusResult& result) {
  if (result.reasons.forbidden) return explanation_text(*result.reasons.forbidden, *result.definition);
  if (result.reasons.allowed)
    return repairs_text(*result.reasons.allowed, result.answer->witness, *result.definition);
  std::string findings;
  for (const std::string& finding : result.findings) findings += finding + "\n";
  return findings;
}

PagePart page_part(const LitmusResult& result, const CommonOptions& options) {
  if (!result.answer) return {};
  return {"Reasons", reasons_text(result), pictures_in_time(options, result.answer->seconds, [result] {
            return pictures_of(drawn_executions(result, most_pictures), result.file);
          })};
}

Record record_of(const std::string& file, const LitmusResults& results, const LitmusOptions& options,
                 std::size_t models) {
  Record record;
  record.input = file;
  record.files.push_back({file, content_fingerprint(file)});
  if (options.campaign.pictures) add_sources(record, {file});
  ExitStatus status = ExitStatus::success;
  for (const LitmusResult& result : results) {
    const std::string name = result.test ? result.test->name : "";
    record.results.push_back(
        {result.answer ? json_of(result, options.explain) : failure_json(*result.failure, name, result.model),
         row_of(result), options.campaign.pictures ? page_part(result, options.common) : PagePart()});
    if (result.failure) print_error("{}", result.failure->text);
    status = graver(status, result.status);
  }
  record.status = static_cast<int>(status);
  if (options.campaign.divides_input) mark_part(record, results, options.campaign.shard);
  if (options.property == LitmusProperty::condition)
    record.differences = differences_between(results, models);
  return record;
}

/// Prints results in order as they become available, and the table at the end.
class LitmusPrinter {
 public:
  LitmusPrinter(const LitmusOptions& options, std::size_t files, std::size_t models)
      : options_(options), files_(files), models_(models) {}

  void print(const LitmusResult& result) {
    if (result.failure)
      report_failure(*result.failure, options_.common.json && !options_.common.quiet,
                     result.test ? result.test->name : "", result.model);
    print_warnings(result);
    if (result.status == ExitStatus::wrong_input) ++wrong_;
    if (!options_.common.json) rows_.push_back(row_of(result));
    if (!result.answer || options_.common.quiet) return;
    if (options_.common.json) {
      print_output("{}\n", json_of(result, options_.explain));
    } else if (!is_table() || options_.verbose) {
      if (models_ > 1) print_output("Model {}\n", result.model);
      print_output("{}", text_of(result));
      print_reasons(result);
    }
    flush_output();
  }

  /// Prints the models under which a test has other outcomes than under the first one.
  void compare(const LitmusResults& results) {
    tests_ += (results.size() + models_ - 1) / models_;  // an unreadable file has one result
    const auto texts = differences_between(results, models_);
    differences_.insert(differences_.end(), texts.begin(), texts.end());
  }

  void finish() const {
    if (is_table() && !options_.common.quiet && !options_.common.json)
      write_output(table_text(rows_, use_color(options_.common)));
    if (models_ > 1 && !options_.common.quiet && !options_.common.json) {
      for (const std::string& difference : differences_) print_output("{}\n", difference);
      print_output("{} of {} tests differ between models\n", differences_.size(), tests_);
    }
    flush_output();
    if (is_table() && wrong_ > 0) print_error("{} of {} files are wrong: see above\n", wrong_, files_);
    if (interrupted()) print_error("interrupted: the results known so far are above\n");
  }

 private:
  bool is_table() const { return files_ > 1; }

  /// Prints each warning once, for any number of models and of tests in one file.
  void print_warnings(const LitmusResult& result) {
    if (!result.test || options_.common.quiet) return;
    for (const Warning& warning : result.test->warnings) {
      std::string text = warning_text(result.file, warning);
      if (warned_.contains(text)) continue;
      print_error("{}", text);
      warned_.insert(std::move(text));
    }
  }

  static void print_reasons(const LitmusResult& result) {
    if (result.reasons.forbidden)
      print_output("{}", explanation_text(*result.reasons.forbidden, *result.definition));
    if (result.reasons.allowed)
      print_output("{}", repairs_text(*result.reasons.allowed, result.answer->witness, *result.definition));
  }

  const LitmusOptions& options_;
  std::size_t files_;
  std::size_t models_;
  std::size_t tests_ = 0;
  std::size_t wrong_ = 0;
  std::set<std::string> warned_;
  std::vector<TableRow> rows_;
  std::vector<std::string> differences_;
};

/// Draws within the rest of the test's time limit.
ExitStatus draw_supervised(const LitmusResult& result, const std::shared_ptr<const AskedLitmus>& asked) {
  const double seconds_decided = result.answer ? result.answer->seconds : 0;
  return draw_supervised(asked->options.common, seconds_decided, [result, asked] {
    draw_witness(result, asked->options.common.witness, asked->options.witnesses);
  });
}

std::vector<std::filesystem::path> files_of(const LitmusOptions& options) {
  std::vector<std::filesystem::path> files = find_litmus_files(options.paths);
  if (options.campaign.divides_input) return files;
  std::erase_if(files, [&](const auto& file) { return !options.campaign.shard.includes(input_name(file)); });
  return files;
}

ExitStatus run_campaign(const std::vector<std::filesystem::path>& files,
                        const std::shared_ptr<const AskedLitmus>& asked) {
  const LitmusOptions& options = asked->options;
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(input_name(file));
  return run_campaign(options.campaign, options.common, names, [&](std::size_t i) -> std::optional<Record> {
    const LitmusResults results = decide_file(names[i], asked);
    if (results.empty()) return std::nullopt;
    return record_of(names[i], results, options, asked->models.size());
  });
}

ExitStatus run(const LitmusOptions& options) {
  catch_interruption();
  const auto asked = std::make_shared<AskedLitmus>(AskedLitmus{
      options, library_models(options.common, Language::ptx), library_models(options.common, Language::cpp)});
  const std::vector<v1::Model>& models = asked->models;
  const auto files = files_of(options);
  asked->options.explain |= options.campaign.pictures;  // a page shows the reasons
  if (files.size() * models.size() == 1) {
    asked->options.jobs_for_each = job_count(options.common);
    asked->options.shows_progress = options.verbose || shows_progress(options.common);
  }
  if (has_records(options.campaign)) return run_campaign(files, asked);
  if (files.empty()) return ExitStatus::success;  // none of this shard
  if (!options.common.witness.empty() && files.size() * models.size() != 1)
    throw InputError("--witness", {},
                     fmt::format("found {} files and {} models, expected one test and one model",
                                 files.size(), models.size()));
  if (!options.cuda.empty() && (models.size() != 1 || options.property != LitmusProperty::condition))
    throw InputError("--emit-cuda", {}, "found another question, expected the condition under one model");
  ExitStatus status = ExitStatus::success;
  asked->options.explain &=
      files.size() == 1 || options.verbose || options.common.json;  // a table has no room for them
  LitmusPrinter printer(options, files.size(), models.size());
  ProgressLine progress(files.size(), options.common);
  progress.show(0, files.front().string());
  const auto work = [&](std::size_t i) { return decide_file(files[i], asked); };
  const auto use = [&](std::size_t i, const LitmusResults& results) {
    progress.clear();
    if (results.empty()) status = graver(status, ExitStatus::unknown);
    if (!options.common.witness.empty() && results.size() > 1)
      throw InputError("--witness", {},
                       fmt::format("found {} tests in one file, expected one", results.size()));
    if (options.property == LitmusProperty::condition) printer.compare(results);
    for (const LitmusResult& result : results) {
      printer.print(result);
      status = graver(status, result.status);
      if (!options.common.witness.empty()) status = graver(status, draw_supervised(result, asked));
      if (!options.cuda.empty()) status = graver(status, write_cuda(result, options.cuda));
    }
    progress.show(i + 1, files[std::min(i + 1, files.size() - 1)].string());
  };
  in_order(files.size(), job_count(options.common), work, use);
  progress.clear();
  printer.finish();
  return status;
}

void add_property_options(CLI::App& command, LitmusOptions& options) {
  std::map<std::string, LitmusProperty> properties;
  std::vector<std::string> names;
  for (const LitmusPropertyWords& words : litmus_properties()) {
    properties.emplace(words.name, words.property);
    names.emplace_back(words.name);
  }
  command
      .add_option_function<std::string>(
          "--property",
          [&options, properties](const std::string& name) { options.property = properties.at(name); },
          "what is asked: the condition, or whether some execution has a fault")
      ->check(CLI::IsMember(names))
      ->type_name("NAME");
  command.add_flag_callback(
      "--race", [&options] { options.property = LitmusProperty::race; }, "the same as --property race");
  const std::map<std::string, v1::Scheduling> scheduling = {
      {"fair", v1::Scheduling::fair},
      {"occupancy:cta", v1::Scheduling::occupancy_cta},
      {"occupancy:cluster", v1::Scheduling::occupancy_cluster},
      {"occupancy:gpu", v1::Scheduling::occupancy_gpu}};
  command
      .add_option_function<std::string>(
          "--progress",
          [&options, scheduling](const std::string& name) { options.scheduling = scheduling.at(name); },
          "for termination: every thread is scheduled (fair), or every thread that has been started, by CTA, "
          "cluster or GPU (occupancy:cta, occupancy:cluster, occupancy:gpu)")
      ->check(CLI::IsMember({"fair", "occupancy:cta", "occupancy:cluster", "occupancy:gpu"}))
      ->type_name("MODEL");
}

}  // namespace

void define_litmus_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<LitmusOptions>();
  options->common.timeout_seconds = 60;
  command.add_option("tests", options->paths, "tests, and folders of tests")
      ->required()
      ->type_name("FILE|DIR");
  command.add_flag("--executions", options->executions, "count the executions of each outcome");
  command.add_flag(
      "--explain", options->explain,
      "for a forbidden condition: the axioms that forbid it, and how; for an allowed one: the added "
      "strength that would forbid it");
  command.add_flag("--no-states", options->verdict_only,
                   "only decide the condition, without listing outcomes");
  command.add_flag("--verbose,-v", options->verbose,
                   "print the outcomes of each test also for several files");
  add_whole_number(
      command, "--max-states", {.lowest = 1},
      [options](std::uint64_t states) { options->max_states = states; }, "keep at most N final states")
      ->default_str(std::to_string(options->max_states));
  add_whole_number(
      command, "--witnesses", {.lowest = 1},
      [options](std::uint64_t pictures) { options->witnesses = pictures; },
      "draw executions of up to N final states: FILE, FILE-2, …")
      ->default_str(std::to_string(options->witnesses));
  command
      .add_option("--emit-cuda", options->cuda,
                  "write for each test a program of CUDA to this folder, which runs the test on a GPU and "
                  "compares what it shows with the allowed states")
      ->type_name("DIR")
      ->excludes("--no-states");
  add_property_options(command, *options);
  add_standard_option(command, options->common);
  add_volatile_option(command, options->common);
  add_common_options(command, options->common);
  add_campaign_options(command, options->campaign);
  add_page_options(command, options->campaign);
  command.callback([options, &command, &status] {
    status = reporting_failures(options->common.json, "ptxmc", [&] {
      set_question(options->campaign, command);
      require_no_results_with(options->campaign, command, {"--witness", "--emit-cuda"});
      options->campaign.divides_input = divides_one_test(options->paths, options->campaign);
      if (options->campaign.divides_input) require_divisible(options->campaign, command);
      return run(*options);
    });
  });
}

}  // namespace ptxmc
