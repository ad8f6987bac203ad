#include "src/cli/litmus_pictures.hpp"

#include "src/cli/output.hpp"
#include "src/library/litmus_drawing.hpp"
#include "src/report/answer.hpp"

namespace ptxmc {

namespace {

/// The executions that the axioms forbid, in place of one that satisfies the condition.
std::vector<DrawnExecution> drawn_explanations(const LitmusResult& result, std::size_t number) {
  const auto& explanation = result.reasons.forbidden;
  if (!explanation) return {};
  std::vector<DrawnExecution> drawn = drawn_explanation(*result.test, *result.definition, *explanation);
  if (drawn.size() > number) drawn.resize(number);
  return drawn;
}

/// Whether to draw executions of found states: the answer is unknown, or several pictures are requested.
bool shows_states(const LitmusResult& result, std::size_t number) {
  const bool is_asked_for = number > 1 || result.answer->verdict == Verdict::unknown;
  return is_asked_for && result.property == LitmusProperty::condition && !result.answer->states.empty();
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
