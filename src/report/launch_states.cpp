#include "src/report/launch_states.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/report/answer.hpp"
#include "src/report/herd_output.hpp"
#include "src/report/json.hpp"

namespace ptxmc {

std::string launch_states_text(const kernel::LaunchStates& found) {
  const Answer& answer = found.answer;
  const std::string file = found.launch.file.string();
  const bool has_condition = !found.exists.empty();
  std::string text = fmt::format("{}: {} final states\n", file, answer.states.size());
  if (answer.states.size() == 1) text = fmt::format("{}: 1 final state\n", file);
  for (const FinalState* state : ordered_states(answer)) {
    const char* mark = !has_condition ? "" : state->matches ? "*> " : ":> ";
    text += fmt::format("{}{}\n", mark, state_text(*state, answer, found.unfolded->program, Naming::launch));
  }
  if (!answer.states_complete) text += fmt::format("{}: states incomplete ({})\n", file, answer.reason);
  if (has_condition)
    text += fmt::format("{}: exists {}: {}\n", file, found.exists, verdict_text(answer.verdict));
  return text;
}

}  // namespace ptxmc
