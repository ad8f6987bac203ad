#include "src/library/shown_states.hpp"

#include "src/report/answer.hpp"

namespace ptxmc {

std::vector<v1::State> shown_states(const Answer& answer, const Program& program, Naming naming) {
  std::vector<v1::State> result;
  for (const FinalState* state : ordered_states(answer)) {
    v1::State& shown = result.emplace_back();
    shown.matches = state->matches;
    shown.executions = state->executions;
    for (std::size_t i = 0; i < answer.shown.size(); ++i)
      shown.values.push_back({name_of(answer.shown[i], program, naming),
                              final_value_text(answer.shown[i], state->values.at(i), program),
                              state->values.at(i), answer.shown[i].format.has_value()});
  }
  return result;
}

}  // namespace ptxmc
