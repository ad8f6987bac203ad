// The next choice of the explorer: on the way to an execution, nothing that leads there is left out.
#include "solver/explorer/next_step.hpp"

#include <doctest/doctest.h>

#include "tests/solver/explorer/guided_execution.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

using State = PartialExecution::State;

/// Whether the known execution is behind this step.
void check_step(const Step& step, const GuidedExecution& guided) {
  REQUIRE(step.kind != Step::Kind::impossible);
  REQUIRE(step.kind != Step::Kind::blocked);
  for (const auto& [part, source] : step.forced) REQUIRE(source == guided.source(part));
  if (step.kind == Step::Kind::complete) REQUIRE(guided.open_parts().empty());
  if (step.kind != Step::Kind::source) return;
  const EventId source = guided.source(step.which);
  const bool is_there = guided.execution.state(source) == State::present;
  if (is_there) {
    REQUIRE(step.options.contains(static_cast<std::size_t>(source)));
  } else {
    REQUIRE(step.later);
  }
}

/// Chooses what the known execution has: its source, or to wait for it.
void follow(const Step& step, GuidedExecution& guided) {
  PartialExecution& execution = guided.execution;
  const EventId source = guided.source(step.which);
  if (execution.state(source) == State::present)
    execution.choose_source(step.which, source);
  else
    execution.exclude(step.which, step.options);
}

}  // namespace

TEST_CASE("each execution is behind the steps that are found, and no step is missing") {
  int later = 0, forced = 0, chosen = 0, refused = 0;
  for_each_execution(
      {"ptx-8.7", "ptx-6.4", "sc"},
      [&](const cat::Model& model, const EnumeratedProgram& program, const Execution& known) {
        GuidedExecution guided(program.structure, model, known);
        NextStep next(guided.execution, program.structure, model);
        Step step;
        for (int steps = 0; steps < 100; ++steps) {
          REQUIRE(guided.execution.settle());
          REQUIRE(guided.execution.model.may_become_consistent());
          next.find(step);
          check_step(step, guided);
          if (step.kind == Step::Kind::complete) break;
          if (step.kind == Step::Kind::source) {
            const std::size_t before = count(step.options);
            next.refuse_sources(step);
            check_step(step, guided);
            next.refuse_unfounded(step);
            check_step(step, guided);
            refused += count(step.options) < before ? 1 : 0;
          }
          if (step.is_forced()) {
            ++forced;
            next.take(step);
            continue;
          }
          REQUIRE(step.kind == Step::Kind::source);
          CHECK_FALSE(step.has_no_way());
          ++(guided.execution.state(guided.source(step.which)) == State::present ? chosen : later);
          next.take(step);
          next.stop_excluding_refused();
          follow(step, guided);
        }
        CHECK(step.kind == Step::Kind::complete);
        CHECK(guided.execution.is_all_known());
      });
  // All kinds of steps occur.
  CHECK(later > 0);
  CHECK(forced > 100);
  CHECK(chosen > 100);
  CHECK(refused > 10);
}

TEST_CASE("the size of a set, and the events in it") {
  BitSet set(130);
  for (const std::size_t member : {0, 63, 64, 129}) set.insert(member);
  CHECK(count(set) == 4);
  std::vector<EventId> members;
  for_each_event(set, [&](EventId id) { members.push_back(id); });
  CHECK(members == std::vector<EventId>{0, 63, 64, 129});
  CHECK(count(BitSet(130)) == 0);
}
