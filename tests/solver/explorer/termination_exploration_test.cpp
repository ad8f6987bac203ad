// Threads that never end, as the explorer finds them.
#include "solver/explorer/termination_exploration.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "tests/solver/waiting_programs.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

TEST_CASE("the explorer finds the threads that hang, with one job and with several") {
  const cat::Model model = cat::load("ptx-8.7");
  for (const WaitingProgram& one : waiting_programs) {
    CAPTURE(one.why);
    const LitmusTest test = one.test();
    for (const unsigned jobs : {1U, 3U}) {
      DecideOptions options;
      options.jobs = jobs;
      options.steps_alone = jobs == 1 ? options.steps_alone : 1;
      const Termination fair = explore_termination(test.program, model, options, {});
      CHECK(fair.engine == "explorer");
      CHECK(fair.hangs == (one.hangs ? Verdict::allowed : Verdict::forbidden));
      CHECK(fair.witness.has_value() == one.hangs);
      CHECK(fair.stuck.empty() == !one.hangs);
      const Progress occupancy{.kind = Progress::Kind::occupancy, .together = Scope::cta};
      const Termination unstarted = explore_termination(test.program, model, options, occupancy);
      CHECK(unstarted.hangs == (one.hangs_unstarted ? Verdict::allowed : Verdict::forbidden));
    }
  }
}

TEST_CASE("a loop that writes is cut off by the bound, and the answer says so") {
  const LitmusTest test = parse_litmus(
      "PTX t { x=0; y=0; } P0@cta 0,gpu 0 ;\nL: atom.relaxed.gpu.add r0, x, 1 ;\nblt r0, 9, L ;\n"
      "exists (x == 1)",
      "t.litmus");
  DecideOptions options;
  options.bound = 3;
  const Termination cut_off = explore_termination(test.program, cat::load("ptx-8.7"), options, {});
  CHECK(cut_off.hangs == Verdict::unknown);
  CHECK(cut_off.reason == "loop bound 3");
  options.bound = 20;
  CHECK(explore_termination(test.program, cat::load("ptx-8.7"), options, {}).hangs == Verdict::forbidden);
}

TEST_CASE("an execution that the time limit ends is unknown") {
  const LitmusTest test = waiting_programs[1].test();
  DecideOptions options;
  options.timeout_seconds = 1e-9;
  const Termination answer = explore_termination(test.program, cat::load("ptx-8.7"), options, {});
  CHECK(answer.hangs == Verdict::unknown);
  CHECK(answer.reason == "timeout");
}
