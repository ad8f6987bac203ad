#include "src/report/herd_output.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "src/report/answer.hpp"
#include "src/report/condition_text.hpp"

namespace ptxmc {

namespace {

/// The numbers of executions (or states, if executions were not counted) that satisfy the proposition and
/// that do not.
struct Counts {
  std::uint64_t satisfying = 0;
  std::uint64_t other = 0;
};

Counts count(const Answer& answer) {
  Counts counts;
  for (const FinalState& state : answer.states)
    (state.matches ? counts.satisfying : counts.other) += state.executions.value_or(1);
  return counts;
}

/// `Never` and `Always` are used only if the answer excludes the opposite.
const char* observation(const Question& question, const Answer& answer, const Counts& counts) {
  const bool is_forall = question.quantifier == Quantifier::forall;
  const bool is_forbidden = answer.verdict == Verdict::forbidden;
  if (counts.satisfying > 0 && counts.other > 0) return "Sometimes";
  if (counts.satisfying == 0 && (answer.states_complete || (is_forbidden && !is_forall))) return "Never";
  if (counts.satisfying > 0 && (answer.states_complete || (is_forbidden && is_forall))) return "Always";
  return "Unknown";
}

std::string state_line(const FinalState& state, const Answer& answer, const Program& program,
                       const HerdOutputOptions& options) {
  const std::string mark = !options.mark_matches ? "" : state.matches ? "*> " : ":> ";
  return mark + state_text(state, answer, program) + "\n";
}

std::string states_text(const LitmusTest& test, const Answer& answer, const HerdOutputOptions& options) {
  const std::vector<const FinalState*> states = ordered_states(answer);
  std::string text = fmt::format("States {}\n", states.size());
  for (const FinalState* state : states) text += state_line(*state, answer, test.program, options);
  return text;
}

}  // namespace

const char* kind_text(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::exists:
      return "Allowed";
    case Quantifier::not_exists:
      return "Forbidden";
    case Quantifier::forall:
      return "Required";
  }
  throw std::logic_error("a quantifier of no known kind");
}

std::string state_text(const FinalState& state, const Answer& answer, const Program& program, Naming naming) {
  std::string text;
  for (std::size_t i = 0; i < answer.shown.size(); ++i) {
    const FinalTerm& term = answer.shown[i];
    text += fmt::format("{}{}={};", i == 0 ? "" : " ", name_of(term, program, naming),
                        final_value_text(term, state.values.at(i), program));
  }
  return text;
}

std::string herd_output(const LitmusTest& test, const Answer& answer, const HerdOutputOptions& options) {
  const Counts counts = count(answer);
  std::string text = fmt::format("Test {} {}\n", test.name, kind_text(test.question.quantifier));
  text += states_text(test, answer, options);
  text += !answer.holds ? "Unknown\n" : *answer.holds ? "Ok\n" : "No\n";
  if (!answer.reason.empty()) text += fmt::format("Reason {}\n", answer.reason);
  if (is_undefined(test, answer)) text += "Undefined behaviour: some execution has a data race\n";
  for (const std::string& note : answer.notes) text += fmt::format("Note {}\n", note);
  if (!answer.states_complete) text += "States incomplete\n";
  const bool swapped = test.question.quantifier == Quantifier::not_exists;
  text += fmt::format("Witnesses\nPositive: {} Negative: {}\n", swapped ? counts.other : counts.satisfying,
                      swapped ? counts.satisfying : counts.other);
  for (const std::string& flag : answer.flags) text += fmt::format("Flag {}\n", flag);
  text += fmt::format("Condition {}\n", question_text(test.question, test.program));
  text += fmt::format("Observation {} {} {} {}\n", test.name, observation(test.question, answer, counts),
                      counts.satisfying, counts.other);
  return text + fmt::format("Time {} {:.2f}\n\n", test.name, answer.seconds);
}

}  // namespace ptxmc
