#include "src/report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/report/answer.hpp"
#include "src/report/names.hpp"

namespace ptxmc {
namespace {

/// An outcome of one answer that the other does not have.
const FinalState* outcome_of_one(const Answer& one, const Answer& other) {
  for (const FinalState* state : ordered_states(one))
    if (std::none_of(other.states.begin(), other.states.end(),
                     [&](const FinalState& known) { return known.values == state->values; }))
      return state;
  return nullptr;
}

std::string outcome_in(const FinalState& state, const Answer& answer, const Program& program) {
  std::string text;
  for (std::size_t i = 0; i < answer.shown.size(); ++i)
    text += fmt::format("{}{}={};", i == 0 ? "" : " ", name_of(answer.shown[i], program, Naming::litmus),
                        final_value_text(answer.shown[i], state.values[i], program));
  return text;
}

Difference only_under(const LitmusTest& test, const std::string& model, const std::string& other,
                      const FinalState& state, const Answer& answer) {
  return {fmt::format("{}: {} only under {}, not under {}", test.name,
                      outcome_in(state, answer, test.program), model, other),
          &state.witness};
}

}  // namespace

std::optional<Difference> difference_between(const LitmusTest& test, const std::string& model_a,
                                             const Answer& a, const std::string& model_b, const Answer& b) {
  if (b.states_complete)
    if (const FinalState* state = outcome_of_one(a, b)) return only_under(test, model_a, model_b, *state, a);
  if (a.states_complete)
    if (const FinalState* state = outcome_of_one(b, a)) return only_under(test, model_b, model_a, *state, b);
  if (a.verdict == b.verdict) return std::nullopt;
  const Answer& allowing = a.verdict == Verdict::allowed ? a : b;
  return Difference{fmt::format("{}: {} under {}, {} under {}", test.name, verdict_text(a.verdict), model_a,
                                verdict_text(b.verdict), model_b),
                    allowing.witness ? &*allowing.witness : nullptr};
}

}  // namespace ptxmc
