#include "src/report/json.hpp"

#include <doctest/doctest.h>

#include "solver/smt_engine/final_state_search.hpp"
#include "src/library/litmus_fences.hpp"
#include "tests/src/report/sample_tests.hpp"

using namespace ptxmc;

TEST_CASE("the JSON line has its keys in the order that is promised") {
  Answer answer = allowed_answer();
  answer.states.resize(2);
  answer.holds = true;
  answer.seconds = 0.0125;
  CHECK(litmus_json(message_passing_test(Quantifier::exists), answer, "ptx-8.7", "smt") ==
        R"({"file":"litmus/mp/MP.litmus","name":"MP","model":"ptx-8.7","engine":"smt","quantifier":"exists",)"
        R"("condition":"P1:r0=1 /\\ P1:r1=0","verdict":"allowed","holds":true,)"
        R"("states":[{"count":2,"matches":true,"values":{"P1:r0":1,"P1:r1":0}},)"
        R"({"count":1,"matches":false,"values":{"P1:r0":1,"P1:r1":1}}],"complete":true,)"
        R"("executions":7,"reason":null,"notes":[],"time_s":0.0125,"warnings":[]})");
}

TEST_CASE("what is not known is null") {
  Answer answer;
  answer.reason = "timeout";
  CHECK(
      litmus_json(message_passing_test(Quantifier::not_exists), answer, "my.cat", "both") ==
      R"({"file":"litmus/mp/MP.litmus","name":"MP","model":"my.cat","engine":"both","quantifier":"~exists",)"
      R"("condition":"P1:r0=1 /\\ P1:r1=0","verdict":"unknown","holds":null,"states":[],)"
      R"("complete":false,"executions":null,"reason":"timeout","notes":[],"time_s":0.0,"warnings":[]})");
}

TEST_CASE("uncounted states have no count, unsigned values no sign, and text stays one valid line") {
  Answer answer;
  answer.verdict = Verdict::forbidden;
  answer.shown = {memory_of(1, 0), memory_of(0)};
  answer.states = {{.values = {-1, -1}, .matches = false, .executions = {}, .witness = {}}};
  LitmusTest test = message_passing_test(Quantifier::forall);
  test.name = "quote\"\n\xff";
  const std::string line = litmus_json(test, answer, "m", "smt");
  CHECK(line.find(R"({"count":null,"matches":false,"values":{"a[0]":18446744073709551615,"x":-1}})") !=
        std::string::npos);
  CHECK(line.find('\n') == std::string::npos);
  CHECK(line.find(R"("name":"quote\"\n)") != std::string::npos);
}

TEST_CASE("an explanation is one key more: axioms and steps with sections, or changes with places") {
  const cat::Model model = cat::load("ptx-8.7");
  const auto explained = [&](const std::string& store) {
    const LitmusTest test = parse_litmus(
        "PTX MP\n{ x=0; f=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 | ld.acquire.cta r0, f "
        ";\n " +
            store + " f, 1 | ld.weak r1, x ;\nexists (P1:r0 == 1 /\\ P1:r1 == 0)",
        "MP.litmus");
    const Answer answer = decide(test.program, test.question, model, {});
    Reasons reasons;
    if (answer.verdict == Verdict::forbidden)
      reasons.forbidden = explain_forbidden(test.program, test.question, model, {});
    else
      reasons.allowed = fences_of(test, model, {}, Engine::automatic, {});
    return explained_json(test, answer, model, "smt", reasons);
  };
  const std::string forbidden = explained("st.release.cta");
  CHECK(forbidden.find(
            R"("explanation":{"axioms":[{"axiom":"causality","section":"8.10.6","breaks_no_other":true,)"
            R"("steps":[{"relation":"fr","section":"8.9.7",)") != std::string::npos);
  CHECK(forbidden.ends_with(R"("changes":[],"reason":null}})"));
  const std::string allowed = explained("st.relaxed.cta");
  CHECK(allowed.find(
            R"("explanation":{"axioms":[],"changes":[[{"thread":"P0","line":4,"column":2,)"
            R"("instruction":"st.weak x, 1","change":"replace by","by":"st.relaxed.cta x, 1"},)"
            R"({"thread":"P0","line":5,"column":2,)"
            R"("instruction":"st.relaxed.cta f, 1","change":"replace by","by":"st.release.cta f, 1"},)") !=
        std::string::npos);
}
