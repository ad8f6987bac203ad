#include "solver/encoding/candidate_executions.hpp"

#include <doctest/doctest.h>

#include "model/cat/embedded_models.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

TEST_CASE("an exchange behind a barrier that all threads pass does not depend on how they go on there") {
  TermGraph graph;
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n barrier.sync 0 | barrier.sync 0 ;\nexists (x == 0)", 2);
  const EventStructure structure = events_of(test, graph);
  const Bits goes_on = structure.events.back().goes_on;
  REQUIRE_FALSE(goes_on.is_constant());
  WarpExchange exchange;
  exchange.condition = goes_on;
  exchange.exchanges.push_back({1, goes_on});
  CandidateExecutions candidates{.structure = &structure, .exchanges = {exchange}};
  const SettledCandidates settled = settle(candidates, cat::load("ptx-8.7"), graph);
  REQUIRE(settled.phases.exchanges.size() == 1);
  CHECK(settled.phases.exchanges.front().condition.is_true());
  CHECK(settled.phases.exchanges.front().exchanges.front().when.is_true());
}
