#include "src/report/explanation_text.hpp"

#include <doctest/doctest.h>

#include "solver/smt_engine/final_state_search.hpp"
#include "src/library/litmus_fences.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

const char* message_passing_text = R"(PTX MP
{ x=0; f=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0        ;
 st.weak x, 1        | ld.acquire.gpu r0, f  ;
 st.release.gpu f, 1 | ld.weak r1, x         ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
)";

Explanation explain(const LitmusTest& test) {
  return explain_forbidden(test.program, test.question, cat::load("ptx-8.7"), {});
}

}  // namespace

TEST_CASE("message passing is forbidden by causality alone, through the pattern that synchronizes") {
  const LitmusTest test = parse_litmus(message_passing_text, "MP.litmus");
  const Explanation explanation = explain(test);
  REQUIRE(explanation.axioms.size() == 1);
  const BrokenAxiom& axiom = explanation.axioms.front();
  CHECK(axiom.name == "causality");
  CHECK(axiom.breaks_no_other);
  std::vector<std::string> steps;
  for (const RelatedPair& step : axiom.because) steps.push_back(step.relation);
  CHECK(steps == std::vector<std::string>{"fr", "po", "pattern_synchronizes", "po"});
  for (std::size_t i = 0; i < axiom.because.size(); ++i)
    CHECK(axiom.because[i].to == axiom.because[(i + 1) % axiom.because.size()].from);
  const std::string text = explanation_text(explanation, cat::load("ptx-8.7"));
  CHECK(text.find(
            "Axiom causality (8.10.6 Causality) forbids it. An execution that only this axiom forbids:") ==
        0);
  CHECK(text.find("P1 line 5: ld.weak r1, x  (R x=0)") != std::string::npos);
}

TEST_CASE("an allowed outcome has no explanation") {
  std::string weaker = message_passing_text;
  weaker.replace(weaker.find("st.release.gpu"), 14, "st.relaxed.gpu");
  const LitmusTest test = parse_litmus(weaker, "MP.litmus");
  CHECK(explain(test).axioms.empty());
}

TEST_CASE("an outcome that no choice gives needs no axiom") {
  std::string impossible = message_passing_text;
  impossible.replace(impossible.find("P1:r1 == 0"), 10, "P1:r1 == 7");
  const LitmusTest test = parse_litmus(impossible, "MP.litmus");
  CHECK(explanation_text(explain(test), cat::load("ptx-8.7")) ==
        "No axiom is needed: the program has no execution with this outcome.\n\n");
}

TEST_CASE("a final value that coherence order takes away is explained by the write that follows") {
  const LitmusTest test = parse_litmus(R"(PTX 2+2W
{ x=0; y=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1   | st.weak y, 1   ;
 fence.sc.gpu   | fence.sc.gpu   ;
 st.weak y, 2   | st.weak x, 2   ;
exists (x == 1 /\ y == 1)
)",
                                       "2+2W.litmus");
  const Explanation explanation = explain(test);
  CHECK(explanation.axioms.empty());
  REQUIRE(explanation.followed);
  const auto& [execution, write, later, because] = *explanation.followed;
  CHECK(execution.events[write].value.to_u64() == 1);
  CHECK(execution.events[later].value.to_u64() == 2);
  CHECK(execution.events[write].location.to_u64() == execution.events[later].location.to_u64());
  std::vector<std::string> steps;
  for (const RelatedPair& step : because) steps.push_back(step.relation);
  CHECK(steps == std::vector<std::string>{"po", "fence_sc", "po"});
  const std::string text = explanation_text(explanation, cat::load("ptx-8.7"));
  CHECK(text.find("Coherence order forbids it") == 0);
  CHECK(text.find("fence_sc") != std::string::npos);
}

TEST_CASE("an allowed outcome: reads that order nothing, and what would forbid it") {
  std::string weaker = message_passing_text;
  weaker.replace(weaker.find("st.release.gpu"), 14, "st.release.cta");
  const LitmusTest test = parse_litmus(weaker, "MP.litmus");
  const cat::Model model = cat::load("ptx-8.7");
  const Answer answer = decide(test.program, test.question, model, {});
  CHECK(repairs_text(fences_of(test, model, {}, Engine::automatic, {}), answer.witness, model) ==
        "`st.release.cta f, 1` (P0, line 5) is read by `ld.acquire.gpu r0, f` (P1, line 4), but they are not "
        "morally_strong (8.7 Morally strong operations): the scope .cta of P0 does not include P1\n"
        "These changes together would forbid it and leave no data race:\n"
        "    P0 line 4: st.weak x, 1 -> st.relaxed.gpu x, 1\n"
        "    P0 line 5: st.release.cta f, 1 -> st.release.gpu f, 1\n"
        "    P1 line 5: ld.weak r1, x -> ld.relaxed.gpu r1, x\n\n");
}
