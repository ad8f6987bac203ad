#include "solver/explorer/explorer.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "solver/engine/engine.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

Answer explored(const std::string& text, unsigned bound = 2) {
  const LitmusTest test = parse_litmus(text, "test.litmus");
  DecideOptions options;
  options.count_executions = true;
  options.bound = bound;
  return explore(test.program, test.question, cat::load("ptx-8.7"), options);
}

const std::string two_threads = " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n";
const std::string three_threads = " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n";

}  // namespace

TEST_CASE("two reads with two sources each: four executions, load buffering among them") {
  const Answer answer = explored("PTX LB {}\n" + two_threads + R"(
    ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;
    st.relaxed.gpu y, 1  | st.relaxed.gpu x, 1  ;
    exists (P0:r0 == 1 /\ P1:r0 == 1))");
  CHECK(answer.verdict == Verdict::allowed);
  CHECK(answer.executions == 4);
  CHECK(answer.states.size() == 4);
  CHECK(answer.states_complete);
}

// PTX ISA 8.7 § 8.10.3: each atomic operation reads what the one before it in coherence order wrote.
TEST_CASE("three atomic additions follow each other in six ways") {
  const Answer answer = explored("PTX counter {}\n" + three_threads + R"(
    atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;
    ~exists (x != 3))");
  CHECK(answer.verdict == Verdict::forbidden);
  CHECK(answer.executions == 6);
}

// PTX ISA 8.7 § 8.10.3: atomicity is between morally strong operations.
TEST_CASE("atomic operations of too narrow a scope lose updates") {
  const Answer answer = explored("PTX lost {}\n" + two_threads + R"(
    atom.relaxed.cta.add r0, x, 1 | atom.relaxed.cta.add r0, x, 1 ;
    exists (x == 1))");
  CHECK(answer.verdict == Verdict::allowed);
}

// PTX ISA 8.7 § 8.9.6: coherence order relates morally strong writes, and those that causality relates.
TEST_CASE("racing writes are in one order or the other when they are strong, in none when they are weak") {
  const Answer strong = explored("PTX strong {}\n" + two_threads + R"(
    st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 ;
    exists (x == 1))");
  CHECK(strong.executions == 2);
  const Answer weak = explored("PTX weak {}\n" + two_threads + R"(
    st.weak x, 1 | st.weak x, 2 ;
    exists (x == 1))");
  CHECK(weak.executions == 1);
  CHECK(weak.states.size() == 2);  // either may be the last
}

// Fence-SC order is existential: PTX ISA 8.7 § 8.9.3.
TEST_CASE("executions that differ in the order of fences only are one") {
  const Answer answer = explored("PTX fences {}\n" + two_threads + R"(
    fence.sc.gpu | fence.sc.gpu ;
    ld.weak r0, x | ld.weak r0, x ;
    exists (P0:r0 == 1))");
  CHECK(answer.verdict == Verdict::forbidden);
  CHECK(answer.executions == 1);
}

TEST_CASE("a failed compare-and-swap reads and does not write") {
  const Answer answer = explored("PTX cas {}\n" + two_threads + R"(
    atom.relaxed.gpu.cas r0, x, 0, 1 | atom.relaxed.gpu.cas r0, x, 0, 2 ;
    ~exists (P0:r0 == 0 /\ P1:r0 == 0))");
  CHECK(answer.verdict == Verdict::forbidden);
  CHECK(answer.executions == 2);
}

TEST_CASE("a loop that wants more than the bound leaves the answer open") {
  const std::string text = "PTX loop {}\n" + two_threads + R"(
    L: atom.relaxed.gpu.add r0, x, 1 | ld.weak r0, y ;
    blt r0, 3, L | ;
    exists (P0:r0 == 4))";
  const Answer cut_off = explored(text, 2);
  CHECK(cut_off.verdict == Verdict::unknown);
  CHECK(cut_off.reason == "loop bound 2");
  CHECK_FALSE(cut_off.states_complete);
  CHECK(explored(text, 3).verdict == Verdict::forbidden);
}

// An allowed condition says nothing of states beyond the bound.
TEST_CASE("both engines call the states incomplete where the bound was reached") {
  const std::string text = "PTX cut {}\n" + two_threads + R"(
    L: atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 5 ;
    blt r0, 9, L | ;
    exists (P1:r0 == 0))";
  const LitmusTest test = parse_litmus(text, "test.litmus");
  DecideOptions options;
  options.bound = 4;
  for (const Engine engine : {Engine::explorer, Engine::smt}) {
    const Answer answer = decide_with(engine, test.program, test.question, cat::load("ptx-8.7"), options);
    CHECK(answer.verdict == Verdict::allowed);
    CHECK_FALSE(answer.states_complete);
  }
}

TEST_CASE("a read of an address that another read has given") {
  const Answer answer = explored("PTX pointer { p = x; x = 1; y = 2; P1:r0 = y; }\n" + two_threads + R"(
    ld.relaxed.gpu r0, p | st.relaxed.gpu p, r0 ;
    ld.relaxed.gpu r1, [r0] | ;
    exists (P0:r1 == 2))");
  CHECK(answer.verdict == Verdict::allowed);
  CHECK(answer.executions == 2);
}

TEST_CASE("an interrupted exploration says so") {
  const LitmusTest test = parse_litmus("PTX counter {}\n" + three_threads + R"(
    atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;
    ~exists (x != 3))",
                                       "test.litmus");
  DecideOptions options;
  options.max_steps = 2;
  const Answer answer = explore(test.program, test.question, cat::load("ptx-8.7"), options);
  CHECK(answer.verdict == Verdict::unknown);
  CHECK(answer.reason == "step limit");
  CHECK_FALSE(answer.states_complete);
  CHECK(decide_with(Engine::both, test.program, test.question, cat::load("ptx-8.7"), {}).engine == "both");
}

TEST_CASE("answers that contradict each other") {
  Answer explorer, smt;
  explorer.states_complete = smt.states_complete = true;
  explorer.verdict = smt.verdict = Verdict::allowed;
  explorer.states = {{.values = {1}, .matches = false, .executions = {}, .witness = {}}};
  smt.states = explorer.states;
  CHECK_FALSE(contradiction(explorer, smt));
  smt.states[0].values = {2};
  CHECK(contradiction(explorer, smt) == "only the explorer finds the state [1]");
  smt.states.clear();
  CHECK(contradiction(explorer, smt));
  smt = explorer;
  smt.verdict = Verdict::forbidden;
  CHECK(contradiction(explorer, smt));
  smt.verdict = Verdict::unknown;
  CHECK(contradiction(explorer, smt));
  smt.reason = "timeout";
  CHECK_FALSE(contradiction(explorer, smt));
  smt = explorer;
  explorer.executions = 3;
  smt.executions = 4;
  CHECK(contradiction(explorer, smt));
}

TEST_CASE("engines by name") {
  CHECK(find_engine("auto") == Engine::automatic);
  CHECK(find_engine("explorer") == Engine::explorer);
  CHECK(find_engine("smt") == Engine::smt);
  CHECK(find_engine("both") == Engine::both);
  CHECK_FALSE(find_engine("herd"));
}
