#include "solver/engine/engine.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

FinalState state_of(std::int64_t value) {
  FinalState state;
  state.values = {value};
  return state;
}

Answer answer_of(Verdict verdict, const std::string& reason, const std::vector<std::int64_t>& states) {
  Answer answer;
  answer.verdict = verdict;
  answer.reason = reason;
  for (const std::int64_t value : states) answer.states.push_back(state_of(value));
  return answer;
}

std::vector<std::int64_t> values_of(const Answer& answer) {
  std::vector<std::int64_t> values;
  for (const FinalState& state : answer.states) values.push_back(state.values.front());
  return values;
}

}  // namespace

TEST_CASE("what the explorer had found stays when the solver is asked") {
  Answer found = answer_of(Verdict::unknown, "timeout", {2, 4});
  add_found(answer_of(Verdict::unknown, "step limit", {1, 2, 3}), found);
  CHECK(values_of(found) == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(found.verdict == Verdict::unknown);
  CHECK(found.engine == "smt");

  Answer explored = answer_of(Verdict::allowed, "step limit", {1});
  explored.holds = true;
  explored.engine = "explorer";
  found = answer_of(Verdict::unknown, "loop bound 2", {});
  add_found(std::move(explored), found);
  CHECK(found.verdict == Verdict::allowed);
  CHECK(found.holds == true);
  CHECK(found.engine == "explorer");
  CHECK(values_of(found) == std::vector<std::int64_t>{1});
}

TEST_CASE("nothing is put to a whole answer, or where nothing can be said of the program") {
  Answer whole = answer_of(Verdict::forbidden, "", {2});
  whole.states_complete = true;
  add_found(answer_of(Verdict::unknown, "step limit", {2}), whole);
  CHECK(values_of(whole) == std::vector<std::int64_t>{2});
  Answer race = answer_of(Verdict::unknown, "mixed-size data race", {});
  add_found(answer_of(Verdict::unknown, "step limit", {1}), race);
  CHECK(race.states.empty());
}
