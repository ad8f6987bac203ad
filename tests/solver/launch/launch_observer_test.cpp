// Races and false final conditions of small programs, as launches, against all of their executions: by the
// observer of the explorer's walk and by the solver.
#include "solver/launch/launch_observer.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "model/judge/judge.hpp"
#include "solver/launch/launch_exploration.hpp"
#include "tests/solver/final_states.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

bool all_complete(const EventStructure& structure) {
  return std::ranges::all_of(structure.endings, [](const auto& endings) {
    return std::ranges::all_of(endings, [](const Ending& e) { return e.kind == Ending::Kind::completed; });
  });
}

/// The events of a race are related by data_race in its witness.
void check_race(const LaunchFinding& race, const cat::Model& model) {
  const Judgement judgement = judge(model, race.witness);
  CHECK(judgement.accepted());
  REQUIRE(race.other);
  const Pairs& races = judgement.relations.at("data_race");
  CHECK((std::ranges::count(races, std::pair(race.site.event, race.other->event)) > 0 ||
         std::ranges::count(races, std::pair(race.other->event, race.site.event)) > 0));
}

void check_launch_answer(const LaunchAnswer& answer, const cat::Model& model, bool has_race,
                         bool may_be_false) {
  CAPTURE(answer.engine);
  CHECK(answer.unknown.empty());
  CHECK(has_finding(answer, LaunchProperty::race) == has_race);
  CHECK(has_finding(answer, LaunchProperty::assertion) == may_be_false);
  for (const LaunchFinding& finding : answer.findings) {
    if (finding.property == LaunchProperty::race) check_race(finding, model);
    if (finding.property == LaunchProperty::assertion) CHECK(judge_axioms(model, finding.witness).accepted());
    CHECK((finding.property == LaunchProperty::race || finding.property == LaunchProperty::assertion));
  }
}

}  // namespace

TEST_CASE("a launch has a race, or a false final condition, if and only if some execution has") {
  const cat::Model model = cat::load("ptx-8.7");
  FinalTerm x;
  x.kind = FinalTerm::Kind::memory;
  int races = 0, without_race = 0, false_ends = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    const auto numbers = final_numbers(model, *program, program->all, x);
    if (!numbers || !all_complete(program->structure) || !is_covered(model, program->all)) continue;
    const bool has_race = std::ranges::any_of(program->all.accepted, [&](const Execution& execution) {
      return !judge(model, execution).relations.at("data_race").empty();
    });
    const bool may_be_false = numbers->size() > 1;
    ++(has_race ? races : without_race);
    false_ends += may_be_false ? 1 : 0;

    LaunchQuestion question = question_about(program->structure);
    question.final_condition = first_element_is(*numbers->begin());
    check_launch_answer(explore_launch(question, model, {}, program->graph), model, has_race, may_be_false);
    check_launch_answer(check_launch(question, model, {}, program->graph), model, has_race, may_be_false);
  }
  CHECK(races > 5);
  CHECK(without_race > 2);
  CHECK(false_ends > 3);
}
