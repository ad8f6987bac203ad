#include "solver/explorer/race_free.hpp"

#include <doctest/doctest.h>

#include "semantics/values/bits.hpp"
#include "solver/encoding/final_state.hpp"
#include "solver/explorer/explorer.hpp"
#include "solver/smt_engine/unfold_options.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// The answer by the only execution, if it is known to be the only one.
std::optional<Answer> answered(const std::string& text, bool count = true) {
  const LitmusTest test = parse_litmus("PTX test\n" + text, "test.litmus");
  DecideOptions options;
  options.count_executions = count;
  TermGraph graph;
  const EventStructure structure =
      unfold(test.program, graph,
             unfold_options(test.program, shown_terms(test.question), cat::load("ptx-8.7"), options));
  const auto answer = answer_without_races(structure, test.question, options);
  if (!answer) return answer;
  const Answer explored = explore(test.program, test.question, cat::load("ptx-8.7"), options);
  CHECK(explored.verdict == answer->verdict);
  CHECK(explored.holds == answer->holds);
  CHECK(explored.executions == answer->executions);
  REQUIRE(explored.states.size() == answer->states.size());
  for (std::size_t i = 0; i < explored.states.size(); ++i)
    CHECK(explored.states[i].values == answer->states[i].values);
  return answer;
}

}  // namespace

TEST_SUITE("race_free") {
  TEST_CASE("barriers order what threads of a CTA write and read") {
    // PTX ISA 8.7 § 9.7.13.1: a barrier orders the accesses before it before those after it.
    const auto answer = answered(
        "{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 | st.weak y, 2 ;\n"
        " bar.cta.sync 0 | bar.cta.sync 0 ;\n ld.weak r0, y | ld.weak r0, x ;\n add r0, r0, 5 | ;\n"
        " st.weak x2, r0 | ;\n bar.cta.sync 0 | bar.cta.sync 0 ;\n | ld.weak r1, x2 ;\n"
        "exists (P1:r0 == 1 /\\ P1:r1 == 7)\n");
    REQUIRE(answer.has_value());
    CHECK(answer->verdict == Verdict::allowed);
    CHECK(answer->executions == 1);
  }

  TEST_CASE("a count of all threads is as good as none") {
    const std::string two = "{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 | ;\n";
    const std::string asked = " ;\n | ld.weak r0, x ;\nexists (P1:r0 == 1)\n";
    const auto answer = answered(two + " bar.sync 0, 2 | bar.sync 0, 2" + asked);
    REQUIRE(answer.has_value());
    CHECK(answer->verdict == Verdict::allowed);
    CHECK_FALSE(answered(two + " bar.sync 0, 1 | bar.sync 0, 1" + asked).has_value());
    CHECK_FALSE(answered(two + " bar.sync 0, 2 | bar.sync 0" + asked).has_value());
  }

  TEST_CASE("what the filter excludes is no state") {
    const auto answer = answered(
        "{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 | ;\n bar.cta.sync 0 | bar.cta.sync 0 ;\n"
        " | ld.weak r0, x ;\nforall (P1:r0 == 1)\n");
    REQUIRE(answer.has_value());
    CHECK(answer->holds == true);
  }

  TEST_CASE("races") {
    CHECK_FALSE(
        answered("{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 | ld.weak r0, x ;\n"
                 "exists (P1:r0 == 1)\n"));
    // Write after read.
    CHECK_FALSE(
        answered("{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n ld.weak r0, x | bar.cta.sync 0 ;\n"
                 " bar.cta.sync 0 | ;\n ld.weak r1, x | st.weak x, 1 ;\nexists (P0:r1 == 1)\n"));
    // The barrier is another CTA's.
    CHECK_FALSE(
        answered("{}\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | bar.cta.sync 0 ;\n"
                 " bar.cta.sync 0 | ld.weak r0, x ;\nexists (P1:r0 == 1)\n"));
  }

  TEST_CASE("arrivals that depend on what is read tell nothing") {
    // P0 may exit without arriving, and read what P1 writes behind the barrier.
    CHECK_FALSE(
        answered("{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n ld.weak r0, x | bar.cta.sync 0 ;\n"
                 " bne r0, 0, End | st.weak x, 1 ;\n bar.cta.sync 0 | ;\n End: | ;\n"
                 "exists (P0:r0 == 1)\n"));
    // P1 arrives once more than P0, which is not ordered before what follows.
    CHECK_FALSE(
        answered("{}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n ld.weak r0, x | bar.cta.sync 0 ;\n"
                 " | st.weak x, 1 ;\nexists (P0:r0 == 1)\n"));
  }
}
