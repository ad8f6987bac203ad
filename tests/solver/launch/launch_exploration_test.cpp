// What only the explorer says of launches: how many executions there are, and what it leaves to the solver.
// That it finds what the solver finds is checked in launch_properties_test.cpp.
#include "solver/launch/launch_exploration.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "semantics/language/diagnostic.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

LaunchAnswer explored(const LitmusTest& test, const DecideOptions& options = {}) {
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  return explore_launch(question_about(structure), cat::load("ptx-8.7"), options, graph);
}

std::uint64_t executions(const std::string& text) {
  const LaunchAnswer answer = explored(launch_of(text));
  CHECK(answer.engine == "explorer");
  CHECK(answer.unknown.empty());
  REQUIRE(answer.executions);
  return *answer.executions;
}

/// So many threads that take a lock, add one to x, and free the lock.
std::string lock_of(int threads) {
  std::string text = "{ l=0; x=0; }\n", rows[6];
  for (int i = 0; i < threads; ++i) {
    const char* const end = i + 1 < threads ? " | " : " ;\n";
    text += fmt::format(" P{0}@cta {0},gpu 0{1}", i, end);
    rows[0] += fmt::format(" L{}: atom.acquire.gpu.cas r0, l, 0, 1{}", i, end);
    rows[1] += fmt::format(" bne r0, 0, L{}{}", i, end);
    rows[2] += fmt::format(" ld.weak r1, x{}", end);
    rows[3] += fmt::format(" add r1, r1, 1{}", end);
    rows[4] += fmt::format(" st.weak x, r1{}", end);
    rows[5] += fmt::format(" st.release.gpu l, 0{}", end);
  }
  for (const std::string& row : rows) text += row;
  return text + "exists (x == 0)";
}

}  // namespace

TEST_CASE("executions differ in where reads read from, and in coherence order") {
  const std::string two = "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n";
  CHECK(executions(two + " st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\n"
                         " ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\nexists (x == 0)") == 4);
  CHECK(executions(two + " st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 ;\nexists (x == 0)") == 2);
  CHECK(executions(two +
                   " atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;\nexists (x == 0)") == 2);
}

// Fence-SC is existential: which of two fences comes first makes no two executions.
TEST_CASE("the order of fences is not counted") {
  CHECK(executions("{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                   " fence.sc.gpu | fence.sc.gpu ;\nexists (x == 0)") == 1);
}

TEST_CASE("an iteration that only waits makes no execution of its own") {
  CHECK(executions("{ f=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                   " L: ld.relaxed.gpu r0, f | st.relaxed.gpu f, 1 ;\n beq r0, 0, L | ;\nexists (f == 0)") ==
        1);
}

TEST_CASE("a lock is taken in every order") {
  CHECK(executions(lock_of(2)) == 2);
  CHECK(executions(lock_of(3)) == 6);
}

TEST_CASE("where threads wait for ever is an execution too") {
  CHECK(executions("{ f=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                   " bar.cta.sync 0 | bar.cta.sync 1 ;\nexists (f == 0)") == 1);
}

TEST_CASE("each way in which arrivals fill phases is an execution") {
  // Four warps of one thread, and two of them fill a phase: three ways to pair them.
  const std::string barrier = "bar.cta.sync 0, 0, 64";
  CHECK(executions("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 | P3@cta 0,gpu 0 ;\n " +
                   barrier + " | " + barrier + " | " + barrier + " | " + barrier + " ;\nexists (x == 0)") ==
        3);
}

// PTX ISA 8.7 § 9.7.13.1: a barrier without a count waits for all threads of the CTA that have not exited.
TEST_CASE("a barrier waits for a thread that waits at a barrier with another number, which was read") {
  const LaunchAnswer answer = explored(
      launch_of("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                " ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n barrier.sync r0 | barrier.sync 0 ;\n"
                "exists (x == 0)"));
  REQUIRE(answer.findings.size() == 1);
  CHECK(answer.findings[0].property == LaunchProperty::deadlock);
}

TEST_CASE("what is read of memory of unknown content leaves open what follows") {
  LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, x ;\n beq r0, 0, L ;\n trap ;\n L: ;\nexists (x == 0)");
  test.program.memory[0].initial[0] = Bits();
  const LaunchAnswer answer = explored(test);
  REQUIRE(answer.findings.size() == 1);
  CHECK(answer.findings[0].property == LaunchProperty::uninitialized);
  CHECK(answer.unknown.at(LaunchProperty::assertion) == "memory of unknown content in the explorer");
  CHECK_FALSE(answer.executions);
}

TEST_CASE("a budget that is spent leaves open what was not found") {
  DecideOptions options;
  options.max_steps = 3;
  const LaunchAnswer answer = explored(launch_of(lock_of(3)), options);
  CHECK(answer.unknown.at(LaunchProperty::deadlock) == "step limit");
  CHECK_FALSE(answer.executions);
}

TEST_CASE("models that allow values out of thin air are for the solver") {
  const LitmusTest test = launch_of(
      "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\n"
      " st.relaxed.gpu y, r0 | st.relaxed.gpu x, r0 ;\nexists (x == 0)");
  cat::Model lax = cat::load("ptx-8.7");
  std::erase_if(lax.axioms, [](const cat::Test& axiom) { return axiom.name == "no_thin_air"; });
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  CHECK_THROWS_AS(explore_launch(question_about(structure), lax, {}, graph), Unsupported);
}

TEST_CASE("one violation is enough, if others are not asked for") {
  // Two races; no other property is looked at that needs relations between events.
  const LitmusTest test = launch_of(
      "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | st.weak x, 2 ;\n"
      " st.weak y, 1 | st.weak y, 2 ;\nexists (x == 0)");
  for (const bool all : {true, false}) {
    TermGraph graph;
    const EventStructure structure = events_of(test, graph);
    LaunchQuestion question = question_about(structure);
    question.all_findings = all;
    const LaunchAnswer explored = explore_launch(question, cat::load("ptx-8.7"), {}, graph);
    const LaunchAnswer solved = check_launch(question, cat::load("ptx-8.7"), {}, graph);
    for (const LaunchAnswer* answer : {&explored, &solved}) {
      CHECK(has_finding(*answer, LaunchProperty::race));
      CHECK(answer->unknown.contains(LaunchProperty::uninitialized) == !all);
      if (all) CHECK(answer->findings.size() == 2);
    }
    CHECK(explored.executions.has_value() == all);
  }
}
