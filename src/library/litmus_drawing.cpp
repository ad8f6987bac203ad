#include "src/library/litmus_drawing.hpp"

#include <fmt/format.h>

#include "solver/encoding/final_state.hpp"
#include "solver/encoding/simpler_witness.hpp"
#include "solver/encoding/witness.hpp"
#include "src/report/condition_text.hpp"
#include "src/report/herd_output.hpp"

namespace ptxmc {

namespace {

/// A forbidden execution, or one whose final state is not the requested one, with the reason in red.
DrawnExecution drawn_reason(const LitmusTest& test, const cat::Model& model, const std::string& reason,
                            const Execution& execution, const std::vector<RelatedPair>& because) {
  DrawnExecution drawn{execution, {}};
  drawn.drawing.title = fmt::format("{} ({}): forbidden by {}", test.name, model.name, reason);
  drawn.drawing.footer = question_text(test.question, test.program);
  for (const RelatedPair& step : because)
    drawn.drawing.highlighted.push_back(
        {step.relation.ends_with("synchronizes") ? "synchronizes" : step.relation, step.from, step.to});
  return drawn;
}

}  // namespace

DrawnExecution drawn_witness(const LitmusTest& test, const cat::Model& model, LitmusProperty property,
                             const Answer& answer, const std::vector<std::string>& findings,
                             const std::vector<HighlightedEdge>& highlighted) {
  const Execution& found = *answer.witness;
  DrawingOptions drawing;
  drawing.title = fmt::format("{} ({})", test.name, model.name);
  if (property == LitmusProperty::condition && answer.holds)
    drawing.footer = fmt::format("{} {}", question_text(test.question, test.program),
                                 *answer.holds ? "holds" : "does not hold");
  for (const std::string& finding : findings) drawing.footer += finding + "\n";
  for (const std::string& note : answer.notes) drawing.footer += note + "\n";
  if (answer.verdict == Verdict::unknown && property == LitmusProperty::condition)
    drawing.footer += answer.reason + "\n";
  drawing.highlighted = highlighted;
  // Another one might not hang, or not race.
  const bool may_differ = property == LitmusProperty::condition && answer.verdict == Verdict::allowed &&
                          drawing.highlighted.empty();
  return {may_differ ? simpler_witness(model, found) : found, drawing};
}

DrawnExecution drawn_state(const LitmusTest& test, const cat::Model& model, const Answer& answer,
                           const FinalState& state) {
  Execution execution = state.witness;
  check_witness(model, execution);
  DrawnExecution drawn{simpler_witness(model, std::move(execution)), {}};
  drawn.drawing.title = fmt::format("{} ({})", test.name, model.name);
  drawn.drawing.footer = state_text(state, answer, test.program);
  return drawn;
}

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

std::vector<DrawnExecution> drawn_explanation(const LitmusTest& test, const cat::Model& model,
                                              const Explanation& explanation) {
  std::vector<DrawnExecution> drawn;
  for (const BrokenAxiom& axiom : explanation.axioms)
    drawn.push_back(drawn_reason(test, model, axiom.name, axiom.execution, axiom.because));
  if (drawn.empty() && explanation.followed)
    drawn.push_back(drawn_reason(test, model, "coherence order", explanation.followed->execution,
                                 explanation.followed->because));
  return drawn;
}

}  // namespace ptxmc
