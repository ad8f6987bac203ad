// Few arrivals with different thread counts, one by one. The phases of random arrivals are compared with an
// enumeration of all orders in counted_barriers_test.cpp. PTX ISA 8.7 § 9.7.13.1.
#include "solver/meetings/mixed_counts.hpp"

#include <doctest/doctest.h>

#include "solver/meetings/chosen_phases.hpp"
#include "solver/smt/smt_solver.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// What may happen with these arrivals of three warps of a thread each.
struct Possible {
  bool completion = false;  ///< all waiting threads go on
  bool misuse = false;      ///< a phase has arrivals with different counts
};

Possible possible(const std::string& first, const std::string& second, const std::string& third) {
  TermGraph graph;
  const LitmusTest test = launch_of("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n " +
                                    first + " | " + second + " | " + third + " ;\nexists (x == 0)");
  const EventStructure structure = events_of(test, graph);
  const BarrierPhases phases = choose_barrier_phases(structure, graph);
  Bits all_complete = Bits::boolean(true), is_misused = Bits::boolean(false);
  for (std::size_t i = 0; i < structure.events.size(); ++i)
    if (structure.events[i].kind == EventKind::barrier) all_complete = all_complete & phases.complete[i];
  for (const BarrierPhases::Misused& misused : phases.misused) is_misused = is_misused | misused.when;
  const auto may_be = [&](const Bits& condition) {
    SmtSolver solver({.timeout_seconds = 60});
    for (const Bits& constraint : phases.constraints) solver.add(constraint);
    return solver.check({&condition, 1}) == SmtSolver::Result::satisfiable;
  };
  return {may_be(all_complete), may_be(is_misused)};
}

}  // namespace

TEST_CASE("a count of all warps is the count of an arrival without one") {
  const Possible found = possible("barrier.sync 1", "barrier.sync 1, 96", "barrier.sync 1");
  CHECK(found.completion);
  CHECK(!found.misuse);
}

TEST_CASE("two counts misuse a phase in some order of the arrivals") {
  // P0 and P1 may meet before P2 arrives; or P2 is one of the first two.
  const Possible found = possible("barrier.sync 1, 64", "barrier.sync 1, 64", "barrier.sync 1, 96");
  CHECK(!found.completion);
  CHECK(found.misuse);
}

TEST_CASE("an arrival without a count meets one with another count") {
  const Possible found = possible("barrier.sync 1", "barrier.sync 1, 64", "barrier.sync 1, 64");
  CHECK(found.misuse);
  // P1 and P2 meet and exit. P0 then is the only thread of the CTA, and its arrival completes a phase.
  CHECK(found.completion);
}
