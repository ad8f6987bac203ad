// Whether some values make a condition about a launch true.
#include "solver/launch/launch_facts.hpp"

#include <doctest/doctest.h>

#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// A launch, and two unknowns. The assumption limits the first.
struct Facts {
  LitmusTest test = launch_of("{ x=0; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, x ;\nexists (x == 0)");
  TermGraph graph;
  EventStructure structure;
  LaunchQuestion question;
  BarrierSchedule schedule;
  Bits first, second;

  Facts() {
    structure = events_of(test, graph);
    question = question_about(structure);
    schedule.assign(structure.events.size(), -1);
    first = graph.variable(32, "first");
    second = graph.variable(32, "second");
    question.assumption = less_unsigned(first, Bits(32, 10));
  }

  bool may_be(const Bits& condition) {
    return LaunchFacts(question, structure, schedule, {}, graph).may_be(condition);
  }
};

}  // namespace

TEST_CASE("a condition may be true if some values satisfy it and the assumption") {
  Facts facts;
  CHECK(facts.may_be(Bits::boolean(true)));
  CHECK(facts.may_be(less_unsigned(facts.first, facts.second)));                    // small values do
  CHECK(facts.may_be(equal(facts.second * facts.second, Bits(32, 7225))));          // 85 does
  CHECK(facts.may_be(equal(facts.first * facts.second, Bits(32, 3 * 1'000'003))));  // few do
  CHECK(facts.may_be(less_unsigned(Bits(32, 0x7000'0000), facts.second)));          // large values do
}

TEST_CASE("a condition that contradicts the assumption or itself cannot be true") {
  Facts facts;
  CHECK_FALSE(facts.may_be(Bits::boolean(false)));
  CHECK_FALSE(facts.may_be(equal(facts.first, Bits(32, 10))));
  CHECK_FALSE(facts.may_be(equal(facts.first * facts.first, Bits(32, 2))));
  CHECK_FALSE(facts.may_be(less_unsigned(facts.second, facts.second & Bits(32, 0xff))));
}
