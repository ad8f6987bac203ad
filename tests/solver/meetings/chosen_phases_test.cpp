#include "solver/meetings/chosen_phases.hpp"

#include <doctest/doctest.h>

#include "tests/solver/launches.hpp"

using namespace ptxmc;

// PTX ISA 8.7 § 9.7.13.1: an arrival with the count of all threads and one without a count fill one phase.
TEST_CASE("arrivals with and without a count that are known to be of one phase meet") {
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.arrive 0, 64 | bar.sync 0 ;\nexists (x == 0)");
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  std::vector<int> schedule;
  std::vector<std::size_t> barriers;
  for (const Event& event : structure.events) {
    const bool is_barrier = event.kind == EventKind::barrier;
    if (is_barrier) barriers.push_back(schedule.size());
    schedule.push_back(is_barrier ? 0 : -1);
  }
  REQUIRE(barriers.size() == 2);
  const BarrierPhases phases = known_barrier_phases(structure, schedule);
  const auto& row = phases.meet.rows[barriers[0]];
  REQUIRE(row.size() == 1);
  CHECK(static_cast<std::size_t>(row.front().to) == barriers[1]);
}
