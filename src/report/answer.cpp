#include "src/report/answer.hpp"

#include <algorithm>
#include <stdexcept>

namespace ptxmc {

bool is_undefined(const LitmusTest& test, const Answer& answer) {
  return test.language == Language::cpp && std::ranges::find(answer.flags, "data_race") != answer.flags.end();
}

const char* verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::allowed:
      return "allowed";
    case Verdict::forbidden:
      return "forbidden";
    case Verdict::unknown:
      return "unknown";
  }
  throw std::logic_error("a verdict of no known kind");
}

std::vector<const FinalState*> ordered_states(const Answer& answer) {
  std::vector<const FinalState*> states;
  for (const FinalState& state : answer.states) states.push_back(&state);
  std::ranges::stable_sort(
      states, {}, [](const FinalState* state) -> const auto& { return state->values; });
  return states;
}

}  // namespace ptxmc
