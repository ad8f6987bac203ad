// The phases that unknowns choose, beside an enumeration of all orders in which units arrive.
#include "solver/meetings/counted_barriers.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "model/relations/base_sets.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/meetings/arrival_order.hpp"
#include "solver/meetings/chosen_phases.hpp"
#include "solver/smt/smt_solver.hpp"
#include "tests/sanitized.hpp"
#include "tests/solver/arrivals.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

using Chosen = std::set<std::pair<Phases, bool>>;  // the phases, and whether one is misused

/// All phases that satisfy the constraints; in order: those that come about in some order of arrivals.
Chosen all_phases(const LitmusTest& test, bool in_order = true) {
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  const BarrierPhases phases = choose_barrier_phases(structure, graph);
  SmtSolver solver({.timeout_seconds = 60});
  for (const Bits& constraint : phases.constraints) solver.add(constraint);
  if (in_order) solver.add(come_about_in_order(structure, phases, {}, graph));
  std::vector<EventId> barriers;
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (is_barrier(structure.events[static_cast<std::size_t>(id)])) barriers.push_back(id);
  std::vector<Bits> shown;  // by barrier: it is complete; by pair: they meet; whether a phase is misused
  const auto show = [&](const Bits& term) {
    shown.push_back(graph.variable(1, "shown"));
    solver.add(equal(shown.back(), term));
  };
  for (const EventId id : barriers) show(phases.complete[static_cast<std::size_t>(id)]);
  for (const EventId a : barriers)
    for (const EventId b : barriers) {
      Bits meets = Bits::boolean(false);
      for (const auto& [to, when] : phases.meet.rows[static_cast<std::size_t>(a)])
        if (to == b) meets = meets | when;
      show(meets);
    }
  Bits is_misused = Bits::boolean(false);
  for (const BarrierPhases::Misused& misused : phases.misused) is_misused = is_misused | misused.when;
  show(is_misused);
  Chosen result;
  while (solver.check() == SmtSolver::Result::satisfiable) {
    std::vector<bool> values;
    Bits same = Bits::boolean(true);
    for (const Bits& variable : shown) {
      const Bits value = solver.value(variable.term()->variable, 1);
      values.push_back(value.is_true());
      same = same & equal(variable, value);
    }
    solver.add(~same);
    Phases found(barriers.size(), -1);
    for (std::size_t i = 0; i < barriers.size(); ++i) {
      if (values[i]) found[i] = static_cast<int>(i);
      for (std::size_t j = 0; j < i; ++j)
        if (values[barriers.size() * (i + 1) + j]) found[i] = std::min(found[i], found[j]);
    }
    result.insert({canonical(found), values.back()});
  }
  return result;
}

/// The same, without misuses.
std::set<Phases> chosen_phases(const LitmusTest& test, bool in_order = false) {
  std::set<Phases> result;
  for (const auto& [phases, is_misused] : all_phases(test, in_order)) {
    CHECK(!is_misused);
    result.insert(phases);
  }
  return result;
}

std::string refusal_of(const std::string& columns) {
  try {
    all_phases(launch_of(columns));
  } catch (const Unsupported& unsupported) {
    return unsupported.what();
  }
  return "";
}

}  // namespace

TEST_CASE("threads of litmus tests and warps of launches meet in all orders and in no other way") {
  std::mt19937 random(1);
  int different = 0;
  for (int i = 0; i < sampled(40); ++i) {
    const Plan plan = random_plan(random);
    const std::size_t needed = 1 + random() % plan.size();
    const std::set<Phases> expected = Arriving(plan, needed).found;
    if (expected.size() > 100) continue;  // the solver finds them one by one, each slower than the one before
    CAPTURE(columns_of(plan, needed));
    if (expected.size() > 1) ++different;
    CHECK(chosen_phases(parse_litmus("PTX t\n" + columns_of(plan, needed), "t.litmus")) == expected);
    CHECK(chosen_phases(launch_of(columns_of(plan, needed * lanes_per_warp))) == expected);
  }
  CHECK(different > sampled(10));
}

// PTX ISA 8.7 § 9.7.13.1: warps that meet use the same thread count. BarrierPhase::is_misused has the rule.
TEST_CASE("warps that use different thread counts, or none, meet in all orders until a phase is misused") {
  std::mt19937 random(2);
  int misused = 0, defined = 0;
  for (int i = 0; i < sampled(60); ++i) {
    const MixedPlan plan = random_mixed_plan(random);
    const Chosen expected = MixedArriving(plan).found;
    CAPTURE(columns_of(plan, lanes_per_warp));
    for (const auto& [phases, is_misused] : expected) ++(is_misused ? misused : defined);
    CHECK(all_phases(launch_of(columns_of(plan, lanes_per_warp))) == expected);
  }
  CHECK(misused > sampled(20));
  CHECK(defined > sampled(20));
}

// The arrival of P0 precedes that of P1, so that P1 and P2 do not meet without it.
TEST_CASE("an arrival without a phase comes after the complete phases of its barrier") {
  const std::string columns =
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n"
      " barrier.arrive 1, 64 | barrier.sync 2, 64 | ;\n"
      " barrier.sync 2, 64 | barrier.sync 1, 64 | barrier.sync 1, 64 ;\n"
      "exists (x == 0)";
  CHECK(chosen_phases(launch_of(columns), true) == std::set<Phases>{{0, 1, 1, 0, -1}, {0, 1, 1, -1, 0}});
}

// PTX ISA 8.7 § 9.7.13.1, .aligned: P0 and P1 are a warp. In different rows they execute different
// instructions.
TEST_CASE("a warp whose threads have diverged at a barrier does not arrive there any more") {
  const std::string
      head = "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n",
      end = " barrier.arrive 1, 64 | barrier.arrive 1, 64 | barrier.sync 1, 64 ;\nexists (x == 0)";
  const std::string together = head + " bar.arrive 1, 64 | bar.arrive 1, 64 | ;\n" + end;
  const std::string apart = head + " bar.arrive 1, 64 | | ;\n | bar.arrive 1, 64 | ;\n" + end;
  CHECK(chosen_phases(launch_of(together, 2), true) == std::set<Phases>{{0, 0, 0, 0, -1}, {0, -1, 0, -1, 0}});
  CHECK(chosen_phases(launch_of(apart, 2), true) == std::set<Phases>{{-1, -1, -1, -1, -1}});
}

TEST_CASE("a thread count of a launch that is not known is refused") {
  const std::string two = "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n";
  const std::string end = "\nexists (x == 0)";
  CHECK(refusal_of(two + "bar.sync 0, 64 | bar.sync 0, 64 ;" + end) == "");
  CHECK(refusal_of(two + "bar.sync 0, 48 | bar.sync 0, 48 ;" + end).find("no multiple of the warp size") !=
        std::string::npos);
  CHECK(refusal_of(two + "ld.relaxed.gpu r0, x | ;\n bar.sync 0, r0 | bar.sync 0, r0 ;" + end)
            .find("a thread count that is not known") != std::string::npos);
}
