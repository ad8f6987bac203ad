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
#include "src/cli/compared_sides.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/in_order.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/output.hpp"
#include "src/cli/reduced_pair.hpp"
#include "src/cli/supervised_drawing.hpp"
#include "src/cli/supervision.hpp"
#include "src/compiler/mapping.hpp"
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
struct Result {
  ComparedPair pair;
  ComparedSides compared;
  std::shared_ptr<const ReducedPair> reduced;  ///< with --reduce, if the pair differs
  std::optional<Failure> failure;
  ExitStatus status = ExitStatus::success;
};

using Found = std::shared_ptr<Result>;

/// `file` is named by errors.
cat::Model model_of(Language language, const std::string& file, const std::string& name,
                    const CommonOptions& common) {
  CommonOptions options = common;
  if (!name.empty()) options.models = {name};
  // `--model` is for programs of PTX; a source of C++ has a model of its own.
  if (name.empty() && language == Language::cpp) options.models.clear();
  cat::Model model = load_models(options, language).front();
  if (language == Language::cpp && model.is_ptx)
    throw InputError(
        file, {},
        fmt::format("found a test of C++ under {}, expected a model of C++ such as cpp-scoped", model.name));
  return model;
}

cat::Model model_of(const ComparedSide& side, const std::string& name, const CommonOptions& common) {
  return model_of(side.test ? side.test->language : Language::ptx, side.file, name, common);
}

/// The file that has the instructions.
std::string text_file_of(const ComparedSide& side) {
  return side.launch ? side.launch->module.string() : side.file;
}

/// Whether some thread writes several times. Only then are the release sequences of C++17 longer.
bool has_thread_with_writes(const Program& program) {
  return std::ranges::any_of(program.threads, [](const Thread& thread) {
    return std::ranges::count_if(thread.code, [](const Instruction& instruction) {
             const std::string_view spelling = instruction.form->spelling;
             return spelling.starts_with("store") || spelling.starts_with("rmw") ||
                    spelling.starts_with("cas");
           }) > 1;
  });
}

/// A note if the target refines the source by C++20, the default, and not by C++17, that of some compilers.
void note_older_standard(ComparedSides& pair, const CompareOptions& options, const DecideOptions& decide,
                         Engine engine, const RefinementOptions& asked) {
  const bool is_asked = pair.source.test && pair.source.test->language == Language::cpp &&
                        options.source_model.empty() && options.common.cpp_standard == "c++20" &&
                        pair.report.refinement.differs == Verdict::forbidden;
  if (!is_asked || !has_thread_with_writes(pair.source.test->program)) return;
  ComparedSide older = pair.source;
  older.model = cat::load("cpp-scoped-17");
  const Refinement found = decide_refinement(compared_program(older, decide, engine),
                                             compared_program(pair.target, decide, engine), asked);
  if (found.differs != Verdict::allowed) return;
  std::string note = "by the release sequences of C++17 (--std c++17) it differs";
  if (!found.extra.empty())
    note += ": " + outcome_text(found.target.values[found.extra.front()], pair.report.observed);
  pair.report.refinement.notes.push_back(std::move(note));
}

Found compare(const ComparedPair& pair, const CompareOptions& options, const Budget& budget) {
  const auto result = std::make_shared<Result>();
  result->pair = pair;
  ComparedSides& compared = result->compared;
  compared.source = read_side(pair.source);
  compared.target = pair.mapping.empty() ? read_side(pair.target)
                                         : compiled_side(compared.source, read_mapping(pair.mapping));
  for (ComparedSide* side : {&compared.source, &compared.target})
    if (side->test)
      side->test = std::make_shared<const LitmusTest>(with_volatile(*side->test, options.common));
  if (options.reduce)
    for (const ComparedSide* side : {&compared.source, &compared.target})
      if (!side->test)
        throw InputError(side->file, {}, "found a launch, expected a litmus test for --reduce");
  const std::vector<std::string> left_out = observe(compared.source, compared.target, options.observe);
  for (const ComparedSide* side : {&compared.source, &compared.target})
    if (side->test) observed_terms(*side);
  compared.source.model = model_of(compared.source, options.source_model, options.common);
  compared.target.model = model_of(compared.target, options.target_model, options.common);
  const DecideOptions decide = decide_options(options.common, budget);
  const Engine engine = *find_engine(options.common.engine);
  const RefinementOptions asked{options.common.bound, options.ignores_races};
  compare_sides(compared, decide, engine, asked);
  RefinementReport& report = compared.report;
  for (const std::string& text : left_out) report.refinement.notes.push_back("not compared, " + text);
  report.source_text = text_file_of(compared.source);
  report.target_text = text_file_of(compared.target);
  note_older_standard(compared, options, decide, engine, asked);
  if (options.reduce)
    result->reduced = reduced_pair(compared, options.observe, decide, engine, asked, budget);
  return result;
}

Found compare_supervised(const ComparedPair& pair, const std::shared_ptr<const CompareOptions>& options) {
  const Budget budget = budget_of(options->common);
  Found result;
  try {
    result = supervised(budget, [pair, options, budget] { return compare(pair, *options, budget); });
  } catch (const OutOfTime& out) {
    result = std::make_shared<Result>();
    result->compared.report.refinement.reason = out.what();
  } catch (...) {
    result = std::make_shared<Result>();
    result->failure = current_failure(pair.target);
    result->status = result->failure->status;
  }
  result->pair = pair;
  result->compared.report.source = pair.source;
  result->compared.report.target = pair.target;
  result->compared.report.seconds = budget.seconds_spent();
  if (result->failure) return result;
  const Verdict differs = result->compared.report.refinement.differs;
  result->status = differs == Verdict::allowed     ? ExitStatus::violation
                   : differs == Verdict::forbidden ? ExitStatus::success
                                                   : ExitStatus::unknown;
  return result;
}

ExitStatus draw(const Found& found, const CompareOptions& options) {
  const std::string path = options.common.witness.string();
  if (found->compared.report.refinement.extra.empty()) {
    print_error("{}: no execution to draw: no outcome is only in the target\n", path);
    return ExitStatus::success;
  }
  return draw_supervised(options.common, found->compared.report.seconds, [found, path] {
    const Refinement& refinement = found->compared.report.refinement;
    DrawingOptions drawing;
    drawing.title = found->pair.target;
    drawing.footer = refinement_verdict(found->compared.report);
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
std::string verdict_line(const Result& result) {
  return fmt::format("{}: {}\n", result.pair.target, refinement_verdict(result.compared.report));
}

std::string json_of(const Result& result) {
  return refinement_json(result.compared.report, result.reduced ? &result.reduced->reduction.pair : nullptr);
}

void print(const Result& result, const CompareOptions& options, bool is_table) {
  const CommonOptions& common = options.common;
  if (result.failure)
    return report_failure(*result.failure, common.json && !common.quiet, result.pair.target);
  if (common.quiet) return;
  if (common.json) return print_output("{}\n", json_of(result));
  if (options.csv) return print_output("{}\n", refinement_csv(result.compared.report));
  if (is_table) return print_output("{}", verdict_line(result));
  print_output("{}", refinement_text(result.compared.report, result.compared.source.model, options.strict));
  if (result.reduced) print_reduced(*result.reduced, options);
}

/// An execution of an outcome that only the target has, and those of the source that its axioms forbid.
std::vector<Picture> pictures_of_difference(const Result& result) {
  const RefinementReport& report = result.compared.report;
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

PagePart page_part(const Found& found, const CompareOptions& options) {
  const RefinementReport& report = found->compared.report;
  return {
      "Comparison", refinement_text(report, found->compared.source.model, options.strict),
      pictures_in_time(options.common, report.seconds, [found] { return pictures_of_difference(*found); })};
}

/// An input of a campaign is named by its target.
Record record_of(const Found& found, const CompareOptions& options) {
  const Result& result = *found;
  Record record;
  record.input = input_name(result.pair.target);
  std::set<std::string> files = {result.pair.source, result.pair.target};
  for (const ComparedSide* side : {&result.compared.source, &result.compared.target})
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
  if (!options.mapping.mappings.empty() && options.paths.empty()) {
    if (has_records(options.campaign))
      throw InputError(options.campaign.results.empty() ? "--html" : "--results", {},
                       "found a search for programs, expected files");
    return compare_mapping(options.mapping, options.common,
                           model_of(Language::cpp, "--mapping", options.source_model, options.common),
                           model_of(Language::ptx, "--mapping", options.target_model, options.common));
  }
  if (options.mapping.mappings.size() > 1)
    throw InputError("--mapping", {}, "found several mappings with files, expected one");
  if (options.paths.empty())
    throw InputError("ptxmc", {}, "found no file, expected a source and a target, a folder, or --mapping");
  std::vector<ComparedPair> pairs = options.mapping.mappings.empty()
                                        ? compared_pairs(options.paths)
                                        : mapped_pairs(options.paths, options.mapping.mappings.front());
  std::erase_if(pairs, [&](const ComparedPair& pair) {
    return !options.campaign.shard.includes(input_name(pair.target));
  });
  if (options.reduce && !options.mapping.mappings.empty())
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
  std::vector<Found> kept;  // the reports of a log point into them
  if (options.csv && !options.common.quiet) print_output("{}\n", refinement_csv_header);
  const auto work = [&](std::size_t i) { return compare_supervised(pairs[i], shared); };
  const auto use = [&](std::size_t, const Found& found) {
    print(*found, options, pairs.size() > 1);
    flush_output();
    status = graver(status, found->status);
    if (found->status == ExitStatus::success) ++refining;
    if (!options.sarif.empty()) kept.push_back(found);
    if (found->reduced && !options.mapping.out.empty())
      write_pair(found->reduced->reduction.pair, options.mapping.out, reduced_name(found->pair.target));
    if (!options.common.witness.empty() && !found->failure) status = graver(status, draw(found, options));
  };
  in_order(pairs.size(), job_count(options.common), work, use);
  if (!options.sarif.empty()) {
    std::vector<const RefinementReport*> reports;
    for (const Found& found : kept) reports.push_back(&found->compared.report);
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
