#include "src/instruction/evaluated_line.hpp"

#include <algorithm>

#include "src/instruction/interval.hpp"

namespace ptxmc {

namespace {

std::string interval_text(const ResultInterval& interval, const Evaluation& evaluation) {
  if (!interval.is_bounded) return "unbounded";
  std::string text = "[";
  append_results(text, evaluation, interval.low);
  text += " .. ";
  append_results(text, evaluation, interval.high);
  return text + "]";
}

}  // namespace

EvaluatedLine evaluated(const VectorLine& line, PreparedLine& prepared, std::span<const Bits> inputs,
                        std::span<const Bits> solved, ResultsOf results, bool with_intervals) {
  Evaluation& evaluation = prepared.evaluation;
  const std::span<const Bits> values = results == ResultsOf::solver ? solved : evaluation.run(inputs);
  EvaluatedLine result;
  append_results(result.computed, evaluation, values);
  if (!line.output.empty()) result.agrees = agrees(line.output, evaluation, values);
  const bool is_compared = results == ResultsOf::both;
  const auto interval =
      is_compared || with_intervals ? result_interval(prepared.terms, inputs) : std::nullopt;
  const auto same = [](const Bits& a, const Bits& b) { return identical(a, b); };
  // The solver may choose any value within the bound of an approximation.
  if (is_compared && !interval && !std::ranges::equal(values, solved, same)) {
    result.agrees = false;
    append_results(result.solved, evaluation, solved);
  }
  if (with_intervals && interval) result.interval = interval_text(*interval, evaluation);
  return result;
}

}  // namespace ptxmc
