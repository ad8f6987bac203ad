// The search with Z3: what it finds, and what it excludes without looking for violations.
#include "solver/launch/launch_decision.hpp"

#include <doctest/doctest.h>

#include <set>

#include "model/cat/embedded_models.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

using enum LaunchProperty;

/// What is decided about a launch whose final condition is that x has a value.
struct Decided {
  LaunchAnswer answer;
  std::set<LaunchProperty> excluded;

  explicit Decided(const std::string& text, std::int64_t final_x, const DecideOptions& options = {}) {
    TermGraph graph;
    const LitmusTest test = launch_of(text);
    const EventStructure structure = events_of(test, graph);
    LaunchQuestion question = question_about(structure);
    question.final_condition = first_element_is(final_x);
    const cat::Model model = cat::load("ptx-8.7");
    const SettledCandidates candidates = settle(question, model, graph);
    answer = decide_launch(question, candidates, model, options, graph);
    excluded = excluded_properties(question, candidates, model, options, graph);
  }
  std::set<LaunchProperty> found() const {
    std::set<LaunchProperty> result;
    for (const LaunchFinding& finding : answer.findings) result.insert(finding.property);
    return result;
  }
};

/// Thread 0 hands x over to thread 1, which writes 2 to it, with this store to the flag.
std::string handover(const std::string& store) {
  return "{ x=0; f=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | Wait: ld.acquire.gpu r0, f "
         ";\n " +
         store + " f, 1 | bne r0, 1, Wait ;\n | st.weak x, 2 ;\nexists (x == 0)";
}

}  // namespace

TEST_CASE("what no execution violates is excluded, and nothing is found") {
  const Decided released(handover("st.release.gpu"), 2);
  CHECK(released.answer.unknown.empty());
  CHECK(released.found().empty());
  CHECK(released.excluded ==
        std::set{assertion, race, uninitialized, out_of_bounds, divergence, undefined, deadlock});
}

TEST_CASE("a violation has a witness with its lines, and is not excluded") {
  const Decided relaxed(handover("st.relaxed.gpu"), 2);
  CHECK(relaxed.found() == std::set{assertion, race});
  CHECK(relaxed.answer.unknown.empty());
  for (const LaunchFinding& finding : relaxed.answer.findings) {
    CHECK_FALSE(finding.witness.events.empty());
    if (finding.property != race) continue;
    REQUIRE(finding.other);
    CHECK(std::set{finding.site.thread, finding.other->thread} == std::set{0, 1});
  }
  CHECK(relaxed.excluded == std::set{uninitialized, out_of_bounds, divergence, undefined, deadlock});
}

TEST_CASE("a thread that waits for ever is a deadlock") {
  const Decided never(
      "{ x=0; f=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 2 | Wait: ld.acquire.gpu r0, f ;\n"
      "  | bne r0, 1, Wait ;\nexists (x == 0)",
      2);
  CHECK(never.found() == std::set{deadlock});
  REQUIRE(never.answer.findings.size() == 1);
  CHECK(never.answer.findings.front().stuck.size() == 1);
  CHECK_FALSE(never.excluded.contains(deadlock));
  CHECK(never.excluded.contains(race));
}
