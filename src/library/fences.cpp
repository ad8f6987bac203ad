// ptxmc::find_fences: which annotations a program needs.
#include <utility>

#include "semantics/language/diagnostic.hpp"
#include "src/compiler/cpp_points.hpp"
#include "src/compiler/litmus_edits.hpp"
#include "src/compiler/ptx_edits.hpp"
#include "src/library/default_model.hpp"
#include "src/library/enumerations.hpp"
#include "src/library/handles.hpp"
#include "src/library/launch_fences.hpp"
#include "src/library/litmus_fences.hpp"
#include "src/library/public_errors.hpp"
#include "src/library/watched_work.hpp"
#include "src/report/fence_text.hpp"

namespace ptxmc {

namespace {

/// The edits of an assignment of the report's points.
using EditsOf = std::function<std::optional<std::vector<LineEdit>>(const Assignment&)>;

constexpr std::size_t most_repairs = 5;  // of the text

/// Stores the edits of the cheapest assignment, and the fix for each annotation that it changes. A wasted
/// annotation may be weakened alone: the others are then stronger than needed.
void store_edits(v1::FenceAnswer::Data& data, const EditsOf& edits_of) {
  const FenceReport& report = data.report;
  data.fixes.resize(report.points.size());
  if (report.minimal.empty()) return;
  data.edits = edits_of(report.minimal.front());
  if (!data.edits) return;
  Assignment given;
  for (const StrengthPoint& point : report.points) given.push_back(static_cast<std::uint8_t>(point.given));
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (report.minimal.front()[i] == given[i]) continue;
    Assignment alone = given;
    alone[i] = report.minimal.front()[i];
    data.fixes[i] = report.holds ? edits_of(alone).value_or(std::vector<LineEdit>()) : *data.edits;
  }
}

void find_in_test(v1::FenceAnswer::Data& data, const v1::LitmusTest::Data& test, const cat::Model& model,
                  const FencesQuestion& question, const DecideOptions& decide, Engine engine) {
  const bool is_cpp = test.language == Language::cpp;
  data.edited_file = test.file;
  if (test.file != "-") data.text = test.text;
  if (is_cpp && data.text.empty())
    throw Unsupported("fences", "a test of C++ that is read from standard input", {});
  data.report = fences_of(test, model, decide, engine, question, data.text);
  store_edits(data, [&](const Assignment& at) -> std::optional<std::vector<LineEdit>> {
    if (is_cpp) return cpp_edits(data.text, data.report.points, at);
    return litmus_edits(test, data.text, data.report.points, at);
  });
}

void find_in_launch(v1::FenceAnswer::Data& data, const kernel::Launch& launch, const cat::Model& model,
                    const FencesQuestion& question, const DecideOptions& decide, Engine engine) {
  LaunchFences found = fences_of(launch, model, decide, engine, question.costs, question.tries);
  data.edited_file = launch.module.string();
  data.report = std::move(found.report);
  data.text = std::move(found.text);
  store_edits(data, [&](const Assignment& at) { return ptx_edits(data.text, data.report.points, at); });
}

/// Throws InputError for a table of costs that cannot be read.
FencesQuestion question_of(const v1::FenceOptions& options) {
  FencesQuestion question;
  question.races = to_internal(options.races);
  question.same_outcomes = options.same_outcomes;
  question.tries = to_internal(options.trials);
  if (!options.costs.empty()) question.costs = read_costs(options.costs);
  return question;
}

/// Throws InputError for options that say what is kept of a litmus test. Of a launch it is what `check` looks
/// for.
void require_no_test_options(const std::string& file, const FencesQuestion& question) {
  if (question.same_outcomes)
    throw InputError(file, {}, "found a launch, expected a litmus test whose outcomes are kept");
  if (question.races != RaceClause::keep)
    throw InputError(file, {}, "found a launch, expected a litmus test for a choice of its data races");
}

v1::Annotation shown(const FenceReport& report, std::size_t i) {
  const StrengthPoint& point = report.points[i];
  v1::Annotation result;
  result.thread = point.thread_name;
  result.line = point.where.line;
  result.column = point.where.column;
  result.instruction = point.written;
  result.is_fence = point.is_fence;
  result.is_inserted = point.is_inserted;
  result.level = point.levels[point.given].name;
  if (report.minimal.empty()) return result;
  result.status = status_name(report.status[i]);
  result.enough = weakest_levels(report, i);
  result.because = report.needed_because[i];
  return result;
}

v1::FenceAnswer shown(const std::shared_ptr<v1::FenceAnswer::Data>& data, const std::string& subject) {
  const FenceReport& report = data->report;
  v1::FenceAnswer result;
  result.holds = report.holds;
  result.property = report.property;
  result.lost = report.lost;
  for (std::size_t i = 0; i < report.points.size(); ++i) result.annotations.push_back(shown(report, i));
  for (std::size_t i = 0; i < report.minimal.size(); ++i) {
    v1::Assignment& assignment = result.assignments.emplace_back();
    assignment.cost = report.costs[i];
    for (const StrengthChange& change : changes_of(report.points, report.minimal[i]))
      assignment.changes.push_back({change.point, change.change, change.by});
  }
  result.complete = report.is_complete;
  result.reason = report.reason;
  result.programs = report.runs;
  if (data->edits) result.program = with_edits(data->text, *data->edits);
  result.text = fences_text(report, subject, data->edited_file, most_repairs);
  result.seconds = report.seconds;
  result.data = data;
  return result;
}

}  // namespace

namespace v1 {

FenceAnswer find_fences(const Program& program, const FenceOptions& options) {
  const auto* test = std::get_if<LitmusTest>(&program);
  const auto* launch = std::get_if<Launch>(&program);
  const std::string file = test != nullptr ? test->file() : launch->file().string();
  return with_public_errors(file, [&] {
    const Model model = chosen_model(options, test != nullptr ? test->data()->language : Language::ptx);
    const FencesQuestion question = question_of(options);
    if (launch != nullptr) require_no_test_options(file, question);
    const auto data = std::make_shared<FenceAnswer::Data>();
    const auto work = [&](DecideOptions decide) {
      decide.timeout_seconds = options.timeout_seconds;
      const ptxmc::Engine engine = to_internal(options.engine);
      if (test != nullptr) return find_in_test(*data, *test->data(), *model.data(), question, decide, engine);
      find_in_launch(*data, *launch->data(), *model.data(), question, decide, engine);
    };
    run_watched(with_grace(options), work, [&](const std::string& reason, double seconds) {
      data->report = FenceReport();
      data->report.reason = reason;
      data->report.seconds = seconds;
    });
    FenceAnswer result = shown(data, file);
    result.model = model.name();
    return result;
  });
}

}  // namespace v1

}  // namespace ptxmc
