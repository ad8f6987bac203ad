// ptxmc::evaluate, ptxmc::explain_instruction: single instructions.
#include "semantics/language/diagnostic.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/instruction/evaluated_line.hpp"
#include "src/instruction/explanation.hpp"
#include "src/library/public.hpp"
#include "src/library/public_errors.hpp"

namespace ptxmc {

namespace {

constexpr const char* name_of_text = "instruction";  // in messages

ResultsOf results_of(v1::Engine engine) {
  if (engine == v1::Engine::smt) return ResultsOf::solver;
  if (engine == v1::Engine::both) return ResultsOf::both;
  if (engine == v1::Engine::automatic) return ResultsOf::rule;
  throw InputError(name_of_text, {}, "found the explorer, expected automatic, smt or both");
}

}  // namespace

namespace v1 {

Evaluation evaluate(const std::string& text, const EvaluateOptions& options) {
  return with_public_errors(name_of_text, [&] {
    const ResultsOf results = results_of(options.engine);
    const VectorLine line = read_vector_line(text, name_of_text, 1);
    const auto prepared = PreparedLines().find(line, name_of_text, 1);
    std::vector<Bits> inputs, solved;
    read_inputs(line, prepared->evaluation, inputs, name_of_text, 1);
    if (results != ResultsOf::rule || options.intervals) prepared->make_terms();
    if (results != ResultsOf::rule) {
      const TimeLimit limit(options.timeout_seconds, nullptr);
      solved = prepared->solve(inputs);
    }
    const EvaluatedLine found = evaluated(line, *prepared, inputs, solved, results, options.intervals);
    Evaluation result;
    result.result = found.computed;
    if (!line.output.empty()) result.agrees = found.agrees;
    result.solved = found.solved;
    result.interval = found.interval;
    return result;
  });
}

InstructionExplanation explain_instruction(const std::string& instruction) {
  return with_public_errors(instruction, [&] {
    const ptxmc::InstructionExplanation found = explanation_of(instruction);
    InstructionExplanation result;
    result.spelling = found.spelling;
    result.section = found.section;
    result.versions = found.versions;
    result.syntax = found.syntax;
    result.missing = found.missing;
    result.effects = found.effects;
    for (const auto& [name, term, smtlib] : found.results) result.results.push_back({name, term, smtlib});
    result.declarations = found.declarations;
    result.text = explanation_text(found, true);
    return result;
  });
}

}  // namespace v1

}  // namespace ptxmc
