#include "src/library/litmus_drawing.hpp"

#include <fmt/format.h>

#include "solver/encoding/simpler_witness.hpp"
#include "solver/encoding/witness.hpp"
#include "src/report/condition_text.hpp"
#include "src/report/herd_output.hpp"

namespace ptxmc {

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

}  // namespace ptxmc
