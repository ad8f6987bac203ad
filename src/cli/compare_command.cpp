#include "src/cli/compare_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "semantics/language/text_file.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/cli/campaign.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/compare_mapping.hpp"
#include "src/cli/compared_pairs.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/input_files.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/output.hpp"
#include "src/cli/supervised_drawing.hpp"
#include "src/cli/supervision.hpp"
#include "src/library/handles.hpp"
#include "src/library/in_order.hpp"
#include "src/report/picture.hpp"
#include "src/report/refinement_sarif.hpp"
#include "src/report/refinement_text.hpp"

namespace ptxmc {
namespace {

struct CompareOptions {
  CommonOptions common;
  CampaignOptions campaign;
  std::vector<std::string> paths;
  std::string observe, source_model, target_model, sarif;
  bool ignores_races = false, strict = false, csv = false, reduce = false;
  MappingOptions mapping;
};

/// The result for a pair: a comparison or a failure.
struct PairResult {
  ComparedPair pair;
  std::shared_ptr<v1::Comparison::Data> compared = std::make_shared<v1::Comparison::Data>();
  std::optional<Failure> failure;
  ExitStatus status = ExitStatus::success;

  const ComparedSides& sides() const { return compared->compared; }
  const RefinementReport& report() const { return sides().report; }
  /// With --reduce, if the pair differs; otherwise null.
  const ReducedPair* reduced() const { return compared->reduced.get(); }
};

using FoundPair = std::shared_ptr<PairResult>;

/// `file` is named by errors.
v1::Model model_of(Language language, const std::string& file, const std::string& name,
                   const CommonOptions& common) {
  CommonOptions options = common;
  if (!name.empty()) options.models = {name};
  // `--model` is for programs of PTX; a source of C++ has a model of its own.
  if (name.empty() && language == Language::cpp) options.models.clear();
  v1::Model model = library_models(options, language).front();
  if (language == Language::cpp && model.data()->is_ptx)
    throw InputError(file, {},
                     fmt::format("found a test of C++ under {}, expected a model of C++ such as cpp-scoped",
                                 model.name()));
  return model;
}

v1::Model model_of(const v1::Program& program, const std::string& name, const CommonOptions& common) {
  const auto* test = std::get_if<v1::LitmusTest>(&program);
  return test != nullptr ? model_of(test->data()->language, test->file(), name, common)
                         : model_of(Language::ptx, "", name, common);
}

/// The test or the launch of a file: `.toml` is a launch. Throws InputError; for a file with several of them,
/// too.
v1::Program read_program(const std::string& file, const CommonOptions& common) {
  if (is_launch_file(file)) return v1::read_launch(file);
  const std::vector<v1::LitmusTest> tests = v1::read_litmus(file);
  if (tests.size() != 1)
    throw InputError(file, {}, fmt::format("found {} tests, expected one", tests.size()));
  return common.cpp_volatile == "plain" ? v1::with_plain_volatile(tests.front()) : tests.front();
}

/// The test of PTX that a mapping makes of a test of C++. Throws InputError and v1::Error.
v1::Program compiled_program(const v1::Program& source, const std::string& file, const std::string& mapping) {
  const auto* test = std::get_if<v1::LitmusTest>(&source);
  if (test == nullptr) throw InputError(file, {}, "found a launch, expected a test of C++ for --mapping");
  return v1::compiled(*test, mapping);
}

v1::CompareOptions library_options(const CompareOptions& options, const v1::Program& source,
                                   const v1::Program& target, const Budget& budget) {
  v1::CompareOptions result;
  set_library_options(options.common, budget, result);
  const auto* test = std::get_if<v1::LitmusTest>(&source);
  const bool is_of_newest_cpp = test != nullptr && test->is_cpp() && options.source_model.empty() &&
                                options.common.cpp_standard == "c++20";
  if (!is_of_newest_cpp) result.source_model = model_of(source, options.source_model, options.common);
  result.target_model = model_of(target, options.target_model, options.common);
  result.observe = options.observe;
  result.ignore_races = options.ignores_races;
  result.reduce = options.reduce;
  return result;
}

FoundPair compare(const ComparedPair& pair, const CompareOptions& options, const Budget& budget) {
  const auto result = std::make_shared<PairResult>();
  result->pair = pair;
  const v1::Program source = read_program(pair.source, options.common);
  const v1::Program target = pair.mapping.empty() ? read_program(pair.target, options.common)
                                                  : compiled_program(source, pair.source, pair.mapping);
  if (options.reduce)
    for (const auto& [program, file] : {std::pair(&source, pair.source), std::pair(&target, pair.target)})
      if (std::holds_alternative<v1::Launch>(*program))
        throw InputError(file, {}, "found a launch, expected a litmus test for --reduce");
  result->compared = v1::compare(source, target, library_options(options, source, target, budget)).data;
  return result;
}

FoundPair compare_supervised(const ComparedPair& pair, const std::shared_ptr<const CompareOptions>& options) {
  const Budget budget = budget_of(options->common);
  FoundPair result;
  try {
    result = supervised(budget, [pair, options, budget] { return compare(pair, *options, budget); });
  } catch (const OutOfTime& out) {
    result = std::make_shared<PairResult>();
    result->compared->compared.report.refinement.reason = out.what();
  } catch (...) {
    result = std::make_shared<PairResult>();
    result->failure = current_failure(pair.target);
    result->status = result->failure->status;
  }
  result->pair = pair;
  RefinementReport& report = result->compared->compared.report;
  report.source = pair.source;
  report.target = pair.target;
  report.seconds = budget.seconds_spent();
  if (result->failure) return result;
  const Verdict differs = report.refinement.differs;
  result->status = differs == Verdict::allowed     ? ExitStatus::violation
                   : differs == Verdict::forbidden ? ExitStatus::success
                                                   : ExitStatus::unknown;
  return result;
}

ExitStatus draw(const FoundPair& found, const CompareOptions& options) {
  const std::string path = options.common.witness.string();
  if (found->report().refinement.extra.empty()) {
    print_error("{}: no execution to draw: no outcome is only in the target\n", path);
    return ExitStatus::success;
  }
  return draw_supervised(options.common, found->report().seconds, [found, path] {
    const Refinement& refinement = found->report().refinement;
    DrawingOptions drawing;
    drawing.title = found->pair.target;
    drawing.footer = refinement_verdict(found->report());
    write_witness(*refinement.target.executions[refinement.extra.front()], path, drawing);
  });
}

/// `published.relaxed-load.reduced` for the target `pairs/published.relaxed-load.target.litmus`.
std::string reduced_name(const std::string& target) {
  std::string name = std::filesystem::path(target).stem().string();
  if (name.ends_with(".target")) name.resize(name.size() - std::string(".target").size());
  return name + ".reduced";
}

void print_reduced(const ReducedPair& reduced, const CompareOptions& options) {
  print_output("a smaller pair that differs ({} tried):\n{}{}{}", reduced.reduction.tried,
               reduced.reduction.pair.source, reduced.reduction.pair.target,
               refinement_text(reduced.compared.report, reduced.compared.source.model, options.strict));
}

/// `x.target.litmus: refines`
std::string verdict_line(const PairResult& result) {
  return fmt::format("{}: {}\n", result.pair.target, refinement_verdict(result.report()));
}

std::string json_of(const PairResult& result) {
  return refinement_json(result.report(),
                         result.reduced() != nullptr ? &result.reduced()->reduction.pair : nullptr);
}

void print(const PairResult& result, const CompareOptions& options, bool is_table) {
  const CommonOptions& common = options.common;
  if (result.failure)
    return report_failure(*result.failure, common.json && !common.quiet, result.pair.target);
  if (common.quiet) return;
  if (common.json) return print_output("{}\n", json_of(result));
  if (options.csv) return print_output("{}\n", refinement_csv(result.report()));
  if (is_table) return print_output("{}", verdict_line(result));
  print_output("{}", refinement_text(result.report(), result.sides().source.model, options.strict));
  if (result.reduced() != nullptr) print_reduced(*result.reduced(), options);
}

/// An execution of an outcome that only the target has, and those of the source that its axioms forbid.
std::vector<Picture> pictures_of_difference(const PairResult& result) {
  const RefinementReport& report = result.report();
  const Refinement& refinement = report.refinement;
  if (refinement.extra.empty()) return {};
  DrawingOptions drawing;
  drawing.title = "target: " + result.pair.target;
  drawing.footer = refinement_verdict(report);
  std::vector<Picture> pictures =
      pictures_of({{*refinement.target.executions[refinement.extra.front()], drawing}}, report.target_text);
  std::vector<DrawnExecution> forbidden;
  if (report.explanation)
    for (const BrokenAxiom& axiom : report.explanation->axioms) {
      drawing.title = fmt::format("source: {}: forbidden by {}", result.pair.source, axiom.name);
      drawing.footer.clear();
      drawing.highlighted.clear();
      for (const RelatedPair& step : axiom.because)
        drawing.highlighted.push_back({step.relation, step.from, step.to});
      forbidden.push_back({axiom.execution, drawing});
    }
  for (Picture& picture : pictures_of(forbidden, report.source_text)) pictures.push_back(std::move(picture));
  if (pictures.size() > most_pictures) pictures.resize(most_pictures);
  return pictures;
}

PagePart page_part(const FoundPair& found, const CompareOptions& options) {
  const RefinementReport& report = found->report();
  return {
      "Comparison", refinement_text(report, found->sides().source.model, options.strict),
      pictures_in_time(options.common, report.seconds, [found] { return pictures_of_difference(*found); })};
}

/// An input of a campaign is named by its target.
Record record_of(const FoundPair& found, const CompareOptions& options) {
  const PairResult& result = *found;
  Record record;
  record.input = input_name(result.pair.target);
  std::set<std::string> files = {result.pair.source, result.pair.target};
  for (const ComparedSide* side : {&result.sides().source, &result.sides().target})
    if (side->launch) files.insert(side->launch->module.string());
  for (const std::string& file : files) record.files.push_back({file, content_fingerprint(file)});
  if (options.campaign.pictures) add_sources(record, {files.begin(), files.end()});
  record.status = static_cast<int>(result.status);
  if (result.failure) {
    print_error("{}", result.failure->text);
    const std::string line = fmt::format("{}: {}\n", result.pair.target, result.failure->reason());
    record.results.push_back({failure_json(*result.failure, result.pair.target), TextRow{line, false}});
  } else {
    record.results.push_back({json_of(result),
                              TextRow{verdict_line(result), result.status == ExitStatus::success},
                              options.campaign.pictures ? page_part(found, options) : PagePart()});
  }
  return record;
}

ExitStatus run_campaign(const std::vector<ComparedPair>& pairs,
                        const std::shared_ptr<const CompareOptions>& options) {
  std::vector<std::string> names;
  for (const ComparedPair& pair : pairs) names.push_back(input_name(pair.target));
  return run_campaign(options->campaign, options->common, names, [&](std::size_t i) {
    return record_of(compare_supervised(pairs[i], options), *options);
  });
}

ExitStatus run(const CompareOptions& options) {
  catch_interruption();
  if (!options.mapping.question.mappings.empty() && options.paths.empty()) {
    if (has_records(options.campaign))
      throw InputError(options.campaign.results.empty() ? "--html" : "--results", {},
                       "found a search for programs, expected files");
    return compare_mapping(options.mapping, options.common,
                           model_of(Language::cpp, "--mapping", options.source_model, options.common),
                           model_of(Language::ptx, "--mapping", options.target_model, options.common));
  }
  if (options.mapping.question.mappings.size() > 1)
    throw InputError("--mapping", {}, "found several mappings with files, expected one");
  if (options.paths.empty())
    throw InputError("ptxmc", {}, "found no file, expected a source and a target, a folder, or --mapping");
  std::vector<ComparedPair> pairs =
      options.mapping.question.mappings.empty()
          ? compared_pairs(options.paths)
          : mapped_pairs(options.paths, options.mapping.question.mappings.front());
  std::erase_if(pairs, [&](const ComparedPair& pair) {
    return !options.campaign.shard.includes(input_name(pair.target));
  });
  if (options.reduce && !options.mapping.question.mappings.empty())
    throw InputError("--reduce", {}, "found --mapping, expected a source and a target");
  if (!options.common.witness.empty() && pairs.size() != 1)
    throw InputError("--witness", {}, fmt::format("found {} pairs, expected one", pairs.size()));
  if (options.reduce && pairs.size() != 1 && options.mapping.out.empty())
    throw InputError(
        "--reduce", {},
        fmt::format("found {} pairs, expected one, or --out for the smaller ones", pairs.size()));
  const auto shared = std::make_shared<const CompareOptions>(options);
  if (has_records(options.campaign)) return run_campaign(pairs, shared);
  ExitStatus status = ExitStatus::success;
  std::size_t refining = 0;
  std::vector<FoundPair> kept;  // the reports of a log point into them
  if (options.csv && !options.common.quiet) print_output("{}\n", refinement_csv_header);
  const auto work = [&](std::size_t i) { return compare_supervised(pairs[i], shared); };
  const auto use = [&](std::size_t, const FoundPair& found) {
    print(*found, options, pairs.size() > 1);
    flush_output();
    status = graver(status, found->status);
    if (found->status == ExitStatus::success) ++refining;
    if (!options.sarif.empty()) kept.push_back(found);
    if (found->reduced() != nullptr && !options.mapping.out.empty())
      write_pair({found->reduced()->reduction.pair.source, found->reduced()->reduction.pair.target},
                 options.mapping.out, reduced_name(found->pair.target));
    if (!options.common.witness.empty() && !found->failure) status = graver(status, draw(found, options));
  };
  in_order(pairs.size(), job_count(options.common), work, use);
  if (!options.sarif.empty()) {
    std::vector<const RefinementReport*> reports;
    for (const FoundPair& found : kept) reports.push_back(&found->report());
    write_text_file(options.sarif, refinements_sarif(reports, std::filesystem::current_path()));
  }
  if (pairs.size() > 1 && !options.common.json && !options.csv && !options.common.quiet)
    print_output("{} of {} targets refine their sources\n", refining, pairs.size());
  return status;
}

}  // namespace

void define_compare_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<CompareOptions>();
  options->common.timeout_seconds = 60;
  command
      .add_option("files", options->paths,
                  "a source and a target (tests, launch files), or one or two folders of pairs; with "
                  "--mapping: tests of C++, or folders with such tests")
      ->type_name("FILE|DIR");
  command
      .add_option("--observe", options->observe,
                  "what is compared: names of the source, each with that of the target, `1:r0=out[3];x=x[0]`")
      ->type_name("NAMES");
  command.add_option("--source-model", options->source_model, "the memory model of the source")
      ->type_name("NAME|FILE.cat");
  command.add_option("--target-model", options->target_model, "the memory model of the target")
      ->type_name("NAME|FILE.cat");
  command.add_flag("--ignore-races", options->ignores_races,
                   "compare outcomes although a source of C++ has a data race");
  command.add_flag("--strict", options->strict, "print the outcomes that the target does not have any more");
  command.add_flag("--reduce", options->reduce,
                   "look for a smaller pair that still differs, of two litmus tests");
  add_mapping_options(command, options->mapping);
  command.add_option("--sarif", options->sarif, "write the differences as a SARIF 2.1.0 log")
      ->type_name("FILE");
  add_standard_option(command, options->common);
  add_volatile_option(command, options->common);
  add_common_options(command, options->common);
  command.add_flag("--csv", options->csv, "print a line of comma-separated values for each pair")
      ->excludes("--json");
  add_campaign_options(command, options->campaign);
  add_page_options(command, options->campaign);
  command.callback([options, &command, &status] {
    status = reporting_failures(options->common.json, "ptxmc", [&] {
      set_question(options->campaign, command);
      require_no_results_with(options->campaign, command, {"--witness", "--sarif", "--csv", "--out"});
      return run(*options);
    });
  });
}

}  // namespace ptxmc
