#include "src/cli/compare_mapping.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>

#include "semantics/language/diagnostic.hpp"
#include "src/cli/in_order.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/progress_line.hpp"
#include "src/cli/reduced_pair.hpp"
#include "src/cli/supervised_drawing.hpp"
#include "src/cli/supervision.hpp"
#include "src/compiler/mapping_search.hpp"
#include "src/library/compared_sides.hpp"
#include "src/report/drawing.hpp"
#include "src/report/mapping_text.hpp"

namespace ptxmc {
namespace {

struct FoundCounterexample {
  MappingReport report;
  ComparedSides pair;  ///< the counterexample as two tests
};

MappingQuestion question_of(const MappingOptions& options, const CommonOptions& common,
                            const cat::Model& source, const cat::Model& target, const Budget& budget) {
  MappingQuestion question;
  for (const std::string& name : options.mappings) {
    question.mappings.push_back(read_mapping(name));
    std::erase_if(question.mappings.back().rules, [&](const MappingRule& rule) {
      return std::ranges::find(options.kinds, name_of(rule.kind)) == options.kinds.end();
    });
  }
  question.scope = scope_called(options.scope).value_or(Scope::gpu);
  question.source_model = source;
  question.target_model = target;
  question.options = [common, budget] { return decide_options(common, budget); };
  question.engine = *find_engine(common.engine);
  return question;
}

/// The kinds of accesses for which some mapping has rules for this scope. Throws InputError for a mapping in
/// which an operation of such a kind has no rule.
std::vector<OperationKind> kinds_of(const MappingQuestion& question, const std::string& scope) {
  std::vector<OperationKind> kinds;
  for (const OperationKind kind : {OperationKind::load, OperationKind::store, OperationKind::rmw,
                                   OperationKind::cas, OperationKind::fence})
    for (const Mapping& mapping : question.mappings) {
      if (!mapping.compiles(kind)) continue;
      for (const Ordering order : orders_of(kind))
        if (mapping.rule(kind, order, question.scope) == nullptr)
          throw InputError(mapping.file, {},
                           fmt::format("found no rule for `{} {} {}`, expected one", name_of(kind),
                                       cpp_name_of(order), scope));
      if (kind != OperationKind::fence && std::ranges::find(kinds, kind) == kinds.end())
        kinds.push_back(kind);
    }
  return kinds;
}

/// Checks all shapes with this number of accesses, and adds what was found. Returns whether to go on.
bool check_size(unsigned accesses, const MappingQuestion& question, const CommonOptions& common,
                const Budget& budget, SmallPrograms& programs, MappingReport& report) {
  std::atomic<bool> is_done = false;
  const auto is_stopped = [&] {
    return is_done || interrupted() ||
           (common.timeout_seconds > 0 && budget.seconds_spent() >= common.timeout_seconds);
  };
  const std::vector<ProgramShape> shapes = shapes_of_size(report.limits, accesses, is_stopped);
  const ProgressLine progress(shapes.size(), common);
  const auto work = [&](std::size_t i) {
    if (!is_stopped()) return check_shape(shapes[i], question, programs);
    ShapeAnswer stopped;
    stopped.unknown = interrupted() ? "interrupted" : "timeout";
    return stopped;
  };
  const auto use = [&](std::size_t i, const ShapeAnswer& answer) {
    if (is_done) return;
    report.runs += answer.runs;
    if (answer.counterexample) report.counterexample = answer.counterexample;
    if (!answer.unknown.empty()) report.unknown = answer.unknown;
    is_done = answer.counterexample || !answer.unknown.empty();
    if (!is_done) report.programs += answer.programs;
    progress.show(i + 1, fmt::format("{} accesses, {} programs", accesses, report.programs));
  };
  in_order(shapes.size(), job_count(common), work, use);
  progress.clear();
  if (!is_done && is_stopped()) report.unknown = interrupted() ? "interrupted" : "timeout";
  return !is_done && report.unknown.empty();
}

/// Compares the tests of the counterexample as `ptxmc compare` does.
void compare_counterexample(const MappingQuestion& question, FoundCounterexample& found) {
  ComparedSides& pair = found.pair;
  const PairTexts& counterexample = *found.report.counterexample;
  pair.report.source = "counterexample.source.litmus";
  pair.report.target = "counterexample.target.litmus";
  pair.source = side_of_text(counterexample.source, pair.report.source, question.source_model);
  pair.target = side_of_text(counterexample.target, pair.report.target, question.target_model);
  observe(pair.source, pair.target, {});
  compare_sides(pair, question.options(), question.engine, {});
  found.report.difference = pair.report;
}

ExitStatus draw(const std::shared_ptr<const FoundCounterexample>& found, const CommonOptions& common) {
  const std::string path = common.witness.string();
  if (found->report.difference.refinement.extra.empty()) {
    print_error("{}: no execution to draw: no counterexample was found\n", path);
    return ExitStatus::success;
  }
  return draw_supervised(common, found->report.seconds, [found, path] {
    const Refinement& refinement = found->report.difference.refinement;
    DrawingOptions drawing;
    drawing.title = found->report.difference.target;
    drawing.footer = mapping_verdict(found->report);
    write_witness(*refinement.target.executions[refinement.extra.front()], path, drawing);
  });
}

}  // namespace

void add_mapping_options(CLI::App& command, MappingOptions& options) {
  command
      .add_option("--mapping", options.mappings,
                  "compile tests of C++ by the rules of a mapping, or without files all small programs; then "
                  "repeatable: code that is linked together")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("FILE|NAME");
  const auto add_number = [&](const char* flag, unsigned& number, std::uint64_t lowest, std::uint64_t highest,
                              const char* description) {
    add_whole_number(
        command, flag, {.lowest = lowest, .highest = highest},
        [&number](std::uint64_t value) { number = static_cast<unsigned>(value); }, description)
        ->default_str(std::to_string(number));
  };
  command
      .add_option("--kinds", options.kinds, "with --mapping: the kinds of operations, with commas between")
      ->delimiter(',')
      ->check(CLI::IsMember({"load", "store", "rmw", "cas", "fence"}))
      ->default_str("load,store,rmw,cas,fence")
      ->type_name("KIND,...");
  add_number("--threads", options.threads, 2, 6, "with --mapping: at most so many threads");
  add_number("--operations", options.operations, 1, 6,
             "with --mapping: at most so many accesses of a thread, with fences between them");
  add_number("--locations", options.locations, 1, 6, "with --mapping: at most so many locations");
  command.add_option("--scope", options.scope, "with --mapping: the scope of the operations")
      ->check(CLI::IsMember({"block", "cluster", "device", "system"}))
      ->capture_default_str()
      ->type_name("NAME");
  command
      .add_option(
          "--out", options.out,
          "with --mapping: write the counterexample as a pair of tests; with --reduce: the smaller pair")
      ->type_name("DIR");
}

ExitStatus compare_mapping(const MappingOptions& options, const CommonOptions& common,
                           const cat::Model& source, const cat::Model& target) {
  const Budget budget = budget_of(common);
  const auto found = std::make_shared<FoundCounterexample>();
  MappingReport& report = found->report;
  const MappingQuestion question = question_of(options, common, source, target, budget);
  report.mappings = options.mappings;
  report.source_model = source.name;
  report.target_model = target.name;
  report.limits = {options.threads, options.operations, options.locations, kinds_of(question, options.scope)};
  SmallPrograms programs(question.scope);
  for (unsigned size = 2; size <= options.threads * options.operations; ++size)
    if (!check_size(size, question, common, budget, programs, report)) break;
  if (report.counterexample) compare_counterexample(question, *found);
  report.seconds = budget.seconds_spent();
  if (report.counterexample && !options.out.empty())
    write_pair(*report.counterexample, options.out, "counterexample");
  if (common.json && !common.quiet) print_output("{}\n", mapping_json(report));
  if (!common.json && !common.quiet) print_output("{}", mapping_text(report, source));
  ExitStatus status = report.counterexample     ? ExitStatus::violation
                      : !report.unknown.empty() ? ExitStatus::unknown
                                                : ExitStatus::success;
  if (!common.witness.empty()) status = graver(status, draw(found, common));
  return status;
}

}  // namespace ptxmc
