// ptxmc::compare: a program and its source.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "semantics/language/diagnostic.hpp"
#include "solver/limits/stopwatch.hpp"
#include "src/compiler/compiled_test.hpp"
#include "src/compiler/mapping.hpp"
#include "src/library/default_model.hpp"
#include "src/library/enumerations.hpp"
#include "src/library/handles.hpp"
#include "src/library/public_errors.hpp"
#include "src/library/shown_execution.hpp"
#include "src/library/watched_work.hpp"

namespace ptxmc {

namespace {

ComparedSide side_of(const v1::Program& program) {
  ComparedSide side;
  if (const auto* test = std::get_if<v1::LitmusTest>(&program)) {
    side.file = test->file();
    side.test = test->data();
    return side;
  }
  kernel::Launch launch = *std::get<v1::Launch>(program).data();
  launch.final_condition.clear();  // a comparison asks for all final states
  side.file = launch.file.string();
  side.launch = std::make_shared<const kernel::Launch>(std::move(launch));
  return side;
}

bool is_of_cpp(const ComparedSide& side) { return side.test && side.test->language == Language::cpp; }

/// The model of a side, which is not `usual` if the side is of C++.
cat::Model model_of(const ComparedSide& side, const std::optional<v1::Model>& own,
                    const std::optional<v1::Model>& usual) {
  if (own) return *own->data();
  if (is_of_cpp(side)) return cat::load(default_model(Language::cpp));
  if (usual) return *usual->data();
  return cat::load(default_model());
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
void note_older_standard(ComparedSides& pair, const v1::CompareOptions& options, const DecideOptions& decide,
                         const RefinementOptions& asked) {
  const bool is_asked =
      is_of_cpp(pair.source) && !options.source_model && pair.report.refinement.differs == Verdict::forbidden;
  if (!is_asked || !has_thread_with_writes(pair.source.test->program)) return;
  const Engine engine = to_internal(options.engine);
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

void compare_within_limits(ComparedSides& pair, const std::vector<std::string>& left_out,
                           const v1::CompareOptions& options) {
  RefinementReport& report = pair.report;
  const auto work = [&](const DecideOptions& decide) {
    const RefinementOptions asked{options.bound, options.ignore_races};
    compare_sides(pair, decide, to_internal(options.engine), asked);
    for (const std::string& text : left_out) report.refinement.notes.push_back("not compared, " + text);
    note_older_standard(pair, options, decide, asked);
  };
  run_watched(options, work, [&](const std::string& reason, double) {
    report.refinement = Refinement();
    report.refinement.reason = reason;
  });
}

/// The text of a litmus test. Throws InputError for a launch.
std::string test_text(const v1::Program& program) {
  if (const auto* launch = std::get_if<v1::Launch>(&program))
    throw InputError(launch->file().string(), {}, "found a launch, expected a litmus test to reduce");
  return std::get<v1::LitmusTest>(program).data()->text;
}

/// Looks for a smaller pair for the rest of the time.
std::shared_ptr<const ReducedPair> smaller_pair(const ComparedSides& given, const PairTexts& texts,
                                                const v1::CompareOptions& options,
                                                const Stopwatch& stopwatch) {
  constexpr double least_seconds = 0.5;
  std::shared_ptr<const ReducedPair> result;
  v1::Options rest = with_grace(options);
  rest.timeout_seconds = stopwatch.left_of(rest.timeout_seconds);
  const auto work = [&](const DecideOptions& decide) {
    const auto is_over = [&] {
      return options.timeout_seconds > 0 && stopwatch.left_of(options.timeout_seconds) <= least_seconds;
    };
    result = reduced_pair(given, texts,
                          {options.observe,
                           to_internal(options.engine),
                           decide,
                           {options.bound, options.ignore_races},
                           is_over});
  };
  run_watched(rest, work, [](const std::string&, double) {});
  return result;
}

v1::State shown_outcome(const Outcome& outcome, const std::vector<std::string>& observed) {
  v1::State state;
  for (std::size_t i = 0; i < outcome.size(); ++i)
    state.values.push_back({observed[i], std::to_string(outcome[i]), outcome[i]});
  return state;
}

v1::Execution shown_difference(const std::shared_ptr<const v1::Comparison::Data>& data) {
  const RefinementReport& report = data->compared.report;
  DrawingOptions drawing;
  drawing.title = report.target;
  drawing.footer = refinement_verdict(report);
  const Refinement& refinement = report.refinement;
  return shown_execution({*refinement.target.executions[refinement.extra.front()], std::move(drawing)}, data);
}

v1::Comparison shown(const std::shared_ptr<v1::Comparison::Data>& data, bool with_execution) {
  const RefinementReport& report = data->compared.report;
  const Refinement& refinement = report.refinement;
  v1::Comparison result;
  result.source_model = report.source_model;
  result.target_model = report.target_model;
  if (refinement.differs != Verdict::unknown) result.refines = refinement.differs == Verdict::forbidden;
  result.vacuous = refinement.is_vacuous;
  result.reason = refinement.reason;
  result.observed = report.observed;
  for (const std::size_t i : refinement.extra)
    result.extra.push_back(shown_outcome(refinement.target.values[i], report.observed));
  result.missing = refinement.missing;
  if (report.explanation)
    for (const BrokenAxiom& axiom : report.explanation->axioms) result.axioms.push_back(axiom.name);
  result.notes = refinement.notes;
  if (with_execution && !refinement.extra.empty()) result.execution = shown_difference(data);
  if (const auto& smaller = data->reduced)
    result.smaller = {{smaller->reduction.pair.source, smaller->reduction.pair.target},
                      smaller->reduction.tried,
                      refinement_text(smaller->compared.report, smaller->compared.source.model, false)};
  result.text = refinement_text(report, data->compared.source.model, false);
  result.seconds = report.seconds;
  result.data = data;
  return result;
}

}  // namespace

namespace v1 {

LitmusTest compiled(const LitmusTest& source, const std::string& mapping) {
  return with_public_errors(source.file(), [&] {
    return LitmusTest(
        std::make_shared<const LitmusTest::Data>(compiled_test(*source.data(), read_mapping(mapping))));
  });
}

Comparison compare(const Program& source, const Program& target, const CompareOptions& options) {
  const ComparedSide given = side_of(target);
  return with_public_errors(given.file, [&] {
    const Stopwatch stopwatch;
    const PairTexts texts = options.reduce ? PairTexts{test_text(source), test_text(target)} : PairTexts();
    const auto data = std::make_shared<Comparison::Data>();
    ComparedSides& pair = data->compared;
    pair.source = side_of(source);
    pair.target = given;
    const std::vector<std::string> left_out = observe(pair.source, pair.target, options.observe);
    for (const ComparedSide* side : {&pair.source, &pair.target})
      if (side->test) observed_terms(*side);
    pair.source.model = model_of(pair.source, options.source_model, options.model);
    pair.target.model = model_of(pair.target, options.target_model, options.model);
    for (const ComparedSide* side : {&pair.source, &pair.target})
      if (side->test) require_model_for(*side->test, side->model);
    RefinementReport& report = pair.report;
    report.source = pair.source.file;
    report.target = pair.target.file;
    report.source_text = text_file_of(pair.source);
    report.target_text = text_file_of(pair.target);
    compare_within_limits(pair, left_out, options);
    if (options.reduce && report.refinement.differs == ptxmc::Verdict::allowed)
      data->reduced = smaller_pair(pair, texts, options, stopwatch);
    report.seconds = stopwatch.seconds();
    return shown(data, options.executions);
  });
}

}  // namespace v1

}  // namespace ptxmc
