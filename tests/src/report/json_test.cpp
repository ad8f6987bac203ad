#include "src/report/json.hpp"

#include <doctest/doctest.h>

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
        R"({"count":1,"matches":false,"values":{"P1:r0":1,"P1:r1":1}}],)"
        R"("executions":7,"reason":null,"time_s":0.0125})");
}

TEST_CASE("what is not known is null") {
  Answer answer;
  answer.reason = "timeout";
  CHECK(
      litmus_json(message_passing_test(Quantifier::not_exists), answer, "my.cat", "both") ==
      R"({"file":"litmus/mp/MP.litmus","name":"MP","model":"my.cat","engine":"both","quantifier":"~exists",)"
      R"("condition":"P1:r0=1 /\\ P1:r1=0","verdict":"unknown","holds":null,"states":[],)"
      R"("executions":null,"reason":"timeout","time_s":0.0})");
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
