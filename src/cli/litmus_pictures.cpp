#include "src/cli/litmus_pictures.hpp"

#include <fmt/format.h>

#include "solver/encoding/final_state.hpp"
#include "solver/encoding/simpler_witness.hpp"
#include "solver/encoding/witness.hpp"
#include "src/cli/output.hpp"
#include "src/report/answer.hpp"
#include "src/report/condition_text.hpp"
#include "src/report/drawing.hpp"
#include "src/report/herd_output.hpp"

namespace ptxmc {

namespace {

/// Draws a forbidden execution, or one whose final state is not the requested one, with the reason in red.
void draw_explanation(const LitmusResult& result, const std::string& reason, const Execution& execution,
                      const std::vector<RelatedPair>& because, const std::filesystem::path& path) {
  DrawingOptions drawing;
  drawing.title = fmt::format("{} ({}): forbidden by {}", result.test->name, result.model, reason);
  drawing.footer = question_text(result.test->question, result.test->program);
  for (const RelatedPair& step : because)
    drawing.highlighted.push_back(
        {step.relation.ends_with("synchronizes") ? "synchronizes" : step.relation, step.from, step.to});
  write_witness(execution, path, drawing);
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

/// Draws an execution of each of the first final states, beginning with the one behind the verdict.
void draw_states(const LitmusResult& result, const std::filesystem::path& path, std::size_t number) {
  const Answer& answer = *result.answer;
  std::size_t drawn = answer.witness ? 1 : 0;
  for (const FinalState* state : ordered_states(answer)) {
    if (drawn >= number) return;
    Execution execution = state->witness;
    if (execution.program == nullptr || is_behind_verdict(*state, answer)) continue;
    check_witness(*result.definition, execution);
    execution = simpler_witness(*result.definition, std::move(execution));
    DrawingOptions drawing;
    drawing.title = fmt::format("{} ({})", result.test->name, result.model);
    drawing.footer = state_text(*state, answer, result.test->program);
    write_witness(execution, numbered(path, ++drawn), drawing);
  }
}

}  // namespace

void draw_witness(const LitmusResult& result, const std::filesystem::path& path, std::size_t number) {
  if (!result.answer) return;
  const auto& explanation = result.reasons.forbidden;
  if (explanation && !explanation->axioms.empty()) {
    const BrokenAxiom& axiom = explanation->axioms.front();
    return draw_explanation(result, axiom.name, axiom.execution, axiom.because, path);
  }
  if (explanation && explanation->followed) {
    const FollowedWrite& followed = *explanation->followed;
    return draw_explanation(result, "coherence order", followed.execution, followed.because, path);
  }
  if (!result.answer->witness && !shows_states(result, number)) {
    print_error("{}: no execution to draw: {} is {} under {}\n", path.string(), result.test->name,
                result.answer->verdict == Verdict::forbidden ? "forbidden" : "unknown", result.model);
    return;
  }
  if (shows_states(result, number)) draw_states(result, path, number);
  if (!result.answer->witness) return;
  DrawingOptions drawing;
  drawing.title = fmt::format("{} ({})", result.test->name, result.model);
  if (result.property == LitmusProperty::condition && result.answer->holds)
    drawing.footer = fmt::format("{} {}", question_text(result.test->question, result.test->program),
                                 *result.answer->holds ? "holds" : "does not hold");
  for (const std::string& finding : result.findings) drawing.footer += finding + "\n";
  for (const std::string& note : result.answer->notes) drawing.footer += note + "\n";
  if (result.answer->verdict == Verdict::unknown && result.property == LitmusProperty::condition)
    drawing.footer += result.answer->reason + "\n";
  drawing.highlighted = result.highlighted;
  const Execution& found = *result.answer->witness;
  // Another one might not hang, or not race.
  const bool may_differ = result.property == LitmusProperty::condition &&
                          result.answer->verdict == Verdict::allowed && drawing.highlighted.empty();
  write_witness(may_differ ? simpler_witness(*result.definition, found) : found, path, drawing);
}

}  // namespace ptxmc
