// The final values of executions of small programs, with a coherence order and with all of them.
#include "solver/explorer/final_values.hpp"

#include <doctest/doctest.h>

#include <set>

#include "model/judge/judge.hpp"
#include "tests/solver/explorer/guided_execution.hpp"
#include "tests/solver/final_states.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

using Numbers = std::set<FinalValues::Numbers>;

Numbers numbers_of(const std::optional<FinalStates>& states) {
  Numbers result;
  for (const auto& [numbers, count] : *states) result.insert(numbers);
  return result;
}

Numbers values_of(FinalValues& values, const PartialExecution& execution, const BitMatrix* coherence) {
  Numbers result;
  CHECK(values.for_each(execution, coherence, [&](const FinalValues::Numbers& numbers) {
    CHECK_MESSAGE(result.insert(numbers).second, "each combination is visited once");
    return true;
  }));
  return result;
}

}  // namespace

TEST_CASE("the final values are those of the last writes, or of all writes without a coherence order") {
  std::mt19937 random(1);
  int compared = 0, with_several = 0;
  for (const char* name : {"ptx-8.7", "sc"}) {
    const cat::Model model = cat::load(name);
    for (const auto& program : small_programs(name)) {
      CAPTURE(program->text);
      const std::vector<FinalTerm> shown = shown_terms(program->test.question);
      FinalValues values(program->structure, shown);
      for (const Execution& known : program->all.accepted) {
        const auto states = final_states(model, *program, {{known}, {}});
        if (!states) break;
        GuidedExecution guided(program->structure, model, known);
        REQUIRE(guided.execution.settle());
        guided.complete(random);
        values.begin(guided.execution);
        const auto ids = ids_in(program->structure, known);
        BitMatrix coherence(program->structure.events.size());
        const Judgement judgement = judge(model, known);
        for (const auto& [before, after] : judgement.relations.at("co"))
          coherence.insert(static_cast<std::size_t>(ids[static_cast<std::size_t>(before)]),
                           static_cast<std::size_t>(ids[static_cast<std::size_t>(after)]));
        CHECK(values_of(values, guided.execution, &coherence) == numbers_of(states));
        const Numbers all = values_of(values, guided.execution, nullptr);
        for (const auto& numbers : numbers_of(states)) CHECK(all.contains(numbers));
        with_several += all.size() > 1;
        if (const auto* registers = values.known_registers(guided.execution))
          CHECK(all == Numbers{*registers});
        ++compared;
      }
    }
  }
  CHECK(compared > 100);
  CHECK(with_several > 10);
}

TEST_CASE("a visit that has seen enough ends the others") {
  const cat::Model model = cat::load("ptx-8.7");
  const SmallProgram program(
      "PTX two-writes\n{}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 ;\n"
      "exists (x == 1)\n");
  const auto all = all_executions(program.structure, model);
  REQUIRE(all);
  REQUIRE_FALSE(all->accepted.empty());
  GuidedExecution guided(program.structure, model, all->accepted.front());
  REQUIRE(guided.execution.settle());
  const std::vector<FinalTerm> shown = shown_terms(program.test.question);
  FinalValues values(program.structure, shown);
  values.begin(guided.execution);
  int visited = 0;
  CHECK_FALSE(values.for_each(guided.execution, nullptr, [&](const auto&) { return ++visited < 1; }));
  CHECK(visited == 1);
  CHECK(values_of(values, guided.execution, nullptr).size() >= 2);
  CHECK(values.known_registers(guided.execution) == nullptr);
}
