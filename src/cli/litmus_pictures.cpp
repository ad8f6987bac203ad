#include "src/cli/litmus_pictures.hpp"

#include <fmt/format.h>

#include "solver/encoding/final_state.hpp"
#include "src/cli/output.hpp"
#include "src/library/litmus_drawing.hpp"
#include "src/report/answer.hpp"
#include "src/report/condition_text.hpp"

namespace ptxmc {

namespace {

/// A forbidden execution, or one whose final state is not the requested one, with the reason in red.
DrawnExecution drawn_explanation(const LitmusResult& result, const std::string& reason,
                                 const Execution& execution, const std::vector<RelatedPair>& because) {
  DrawnExecution drawn{execution, {}};
  drawn.drawing.title = fmt::format("{} ({}): forbidden by {}", result.test->name, result.model, reason);
  drawn.drawing.footer = question_text(result.test->question, result.test->program);
  for (const RelatedPair& step : because)
    drawn.drawing.highlighted.push_back(
        {step.relation.ends_with("synchronizes") ? "synchronizes" : step.relation, step.from, step.to});
  return drawn;
}

/// The executions that the axioms forbid, in place of one that satisfies the condition.
std::vector<DrawnExecution> drawn_explanations(const LitmusResult& result, std::size_t number) {
  std::vector<DrawnExecution> drawn;
  const auto& explanation = result.reasons.forbidden;
  if (!explanation) return drawn;
  for (const BrokenAxiom& axiom : explanation->axioms)
    if (drawn.size() < number)
      drawn.push_back(drawn_explanation(result, axiom.name, axiom.execution, axiom.because));
  if (drawn.empty() && explanation->followed)
    drawn.push_back(drawn_explanation(result, "coherence order", explanation->followed->execution,
                                      explanation->followed->because));
  return drawn;
}

/// Whether to draw executions of found states: the answer is unknown, or several pictures are requested.
bool shows_states(const LitmusResult& result, std::size_t number) {
  const bool is_asked_for = number > 1 || result.answer->verdict == Verdict::unknown;
  return is_asked_for && result.property == LitmusProperty::condition && !result.answer->states.empty();
}

/// Whether the execution behind the verdict ends in this state.
bool is_behind_verdict(const FinalState& state, const Answer& answer) {
  if (!answer.witness) return false;
  for (std::size_t i = 0; i < answer.shown.size(); ++i) {
    const FinalTerm& term = answer.shown[i];
    const auto& values = term.kind == FinalTerm::Kind::memory
                             ? answer.witness->final_memory.at(term.variable)
                             : answer.witness->final_registers.at(term.thread);
    const Bits& value = values.at(term.kind == FinalTerm::Kind::memory ? term.element : term.register_id);
    if (shown_number(*answer.witness->program, term, value) != state.values[i]) return false;
  }
  return true;
}

/// Adds an execution of each of the first final states, beside the one behind the verdict.
void add_states(const LitmusResult& result, std::size_t number, std::vector<DrawnExecution>& drawn) {
  const Answer& answer = *result.answer;
  for (const FinalState* state : ordered_states(answer)) {
    if (drawn.size() >= number) return;
    if (state->witness.program == nullptr || is_behind_verdict(*state, answer)) continue;
    drawn.push_back(drawn_state(*result.test, *result.definition, answer, *state));
  }
}

}  // namespace

std::vector<DrawnExecution> drawn_executions(const LitmusResult& result, std::size_t number) {
  if (!result.answer) return {};
  std::vector<DrawnExecution> drawn = drawn_explanations(result, number);
  if (!drawn.empty()) return drawn;
  if (result.answer->witness)
    drawn.push_back(drawn_witness(*result.test, *result.definition, result.property, *result.answer,
                                  result.findings, result.highlighted));
  if (shows_states(result, number)) add_states(result, number, drawn);
  return drawn;
}

void draw_witness(const LitmusResult& result, const std::filesystem::path& path, std::size_t number) {
  if (!result.answer) return;
  const auto& explanation = result.reasons.forbidden;
  const bool is_explained = explanation && (!explanation->axioms.empty() || explanation->followed);
  const std::vector<DrawnExecution> drawn = drawn_executions(result, is_explained ? 1 : number);
  if (drawn.empty())
    print_error("{}: no execution to draw: {} is {} under {}\n", path.string(), result.test->name,
                result.answer->verdict == Verdict::forbidden ? "forbidden" : "unknown", result.model);
  for (std::size_t i = 0; i < drawn.size(); ++i)
    write_witness(drawn[i].execution, numbered(path, i + 1), drawn[i].drawing);
}

}  // namespace ptxmc
