// ptxmc::distinguish: the smallest tests on which models differ.
#include <algorithm>
#include <functional>
#include <utility>

#include "semantics/language/diagnostic.hpp"
#include "solver/limits/stopwatch.hpp"
#include "src/library/enumerations.hpp"
#include "src/library/generation.hpp"
#include "src/library/handles.hpp"
#include "src/library/line_differences.hpp"
#include "src/library/litmus_drawing.hpp"
#include "src/library/model_differences.hpp"
#include "src/library/public_errors.hpp"
#include "src/library/shown_execution.hpp"
#include "src/library/watched_work.hpp"
#include "src/report/difference_text.hpp"

namespace ptxmc {

namespace {

using generator::DecidedTest;
using generator::SizedTest;

/// The tests of the options, without those of C++ if a model is of PTX. Throws InputError if none is left.
std::vector<SizedTest> given_tests(const std::vector<v1::LitmusTest>& tests, bool is_of_ptx) {
  std::vector<SizedTest> result;
  for (const v1::LitmusTest& test : tests)
    if (!test.is_cpp() || !is_of_ptx)
      result.push_back(generator::sized_test_of(*test.data(), test.data()->text));
  if (!tests.empty() && result.empty()) throw InputError("--tests", {}, "found no test of PTX");
  return result;
}

DifferenceLimits difference_limits(const v1::DistinguishOptions& options, bool is_of_ptx) {
  return {cycle_limits(options.cycles), options.instructions, options.undecided,
          given_tests(options.tests, is_of_ptx)};
}

/// How a search is made, given the options of its work.
SearchOptions search_options(const v1::Options& options, DecideOptions decide) {
  decide.timeout_seconds = options.timeout_seconds;
  decide.jobs = 1;  // the tests share the threads
  return {to_internal(options.engine), std::max(options.jobs, 1u), std::move(decide)};
}

/// Explains a difference within the time limit, counted anew.
std::optional<Explanation> explanation_of(const DecidedTest& test, const TwoModels& models,
                                          const v1::Options& options) {
  if (!test.differs()) return std::nullopt;
  Explanation why;
  const auto work = [&](const DecideOptions& decide) {
    const LitmusTest& asked = *test.of.test;
    why = explain_forbidden(asked.program, asked.question, models.forbidding(test), decide);
  };
  run_watched(options, work, [&](const std::string& reason, double) { why.reason = reason; });
  return why;
}

v1::Difference shown(const DecidedTest& test, const TwoModels& models, const v1::Options& options) {
  v1::Difference result;
  result.test = shown_test(test.of);
  result.first = to_public(test.first.verdict);
  result.second = to_public(test.second.verdict);
  result.reason = test.first.verdict == Verdict::unknown ? test.first.reason : test.second.reason;
  if (!options.executions) return result;
  const std::optional<Explanation> why = explanation_of(test, models, options);
  if (why)
    for (const BrokenAxiom& axiom : why->axioms) result.axioms.push_back(axiom.name);
  const bool is_first = test.first.verdict == Verdict::allowed;
  const Answer& allowed = is_first ? test.first : test.second;
  if (test.differs() && allowed.witness)
    result.execution = shown_execution(drawn_witness(*test.of.test, is_first ? models.first : models.second,
                                                     LitmusProperty::condition, allowed, {}, {}),
                                       test.of.test);
  result.text = difference_text(test, models, why);
  return result;
}

/// Makes a search within the limits, and says how far it has come.
template <class Found>
Found searched(const v1::DistinguishOptions& options,
               const std::function<Found(const SearchOptions&)>& search, v1::SearchExtent& extent) {
  Found found;
  const auto work = [&](const DecideOptions& decide) { found = search(search_options(options, decide)); };
  run_watched(with_grace(options), work, [&](const std::string& reason, double) { extent.reason = reason; });
  extent.tests = found.tests;
  extent.instructions = found.instructions;
  extent.complete = found.is_complete;
  return found;
}

v1::LineDifference shown(LineDifference line, const cat::Model& model, const v1::Options& options) {
  v1::LineDifference result;
  result.file = model.files[line.without.place.file];
  result.line = line.without.place.where.line;
  result.change = line.without.text;
  result.is_of_flags = line.is_of_flags;
  result.undecided = line.undecided;
  if (line.difference)
    result.difference =
        shown(*line.difference, {model, line.without.model, model.name, "without the line"}, options);
  return result;
}

}  // namespace

namespace v1 {

DistinguishOptions::DistinguishOptions() {
  timeout_seconds = 600;
  cycles.edges =
      "Pod**, Pos**, Rfe, Rfi, Fre, Coe, Rmw, DpAddrdR, DpDatadW, DpCtrldW, fence.sc.gpu.d**, "
      "fence.acq_rel.gpu.d**";
  cycles.accesses = "weak, relaxed.gpu, acquire.gpu, release.gpu";
  cycles.threads = 3;
}

Distinction distinguish(const Model& first, const Model& second, const DistinguishOptions& options) {
  return with_public_errors("distinguish", [&] {
    const Stopwatch stopwatch;
    const TwoModels models{*first.data(), *second.data(), first.name(), second.name()};
    const DifferenceLimits limits = difference_limits(options, models.first.is_ptx || models.second.is_ptx);
    Distinction result;
    const auto search = [&](const SearchOptions& how) {
      return find_difference(models.first, models.second, limits, how);
    };
    const auto found = searched<FoundDifference>(options, search, result);
    if (found.difference) result.difference = shown(*found.difference, models, options);
    if (found.decided_by_one) result.undecided = shown(*found.decided_by_one, models, options);
    result.seconds = stopwatch.seconds();
    return result;
  });
}

LineDistinction distinguish_lines(const Model& model, const DistinguishOptions& options) {
  return with_public_errors("distinguish", [&] {
    const Stopwatch stopwatch;
    const DifferenceLimits limits = difference_limits(options, model.data()->is_ptx);
    LineDistinction result;
    const auto search = [&](const SearchOptions& how) {
      return find_line_differences(*model.data(), limits, how);
    };
    auto found = searched<LineDifferences>(options, search, result);
    for (ptxmc::LineDifference& line : found.lines)
      result.lines.push_back(shown(std::move(line), *model.data(), options));
    result.seconds = stopwatch.seconds();
    return result;
  });
}

}  // namespace v1

}  // namespace ptxmc
