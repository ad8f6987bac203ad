// Threads that never end, under fair scheduling and where only started threads are scheduled.
#include "solver/smt_engine/termination.hpp"

#include <doctest/doctest.h>

#include "tests/solver/waiting_programs.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

TEST_CASE("a thread hangs if and only if what it waits for may never come") {
  const cat::Model model = cat::load("ptx-8.7");
  for (const WaitingProgram& one : waiting_programs) {
    CAPTURE(one.why);
    const LitmusTest test = one.test();
    const Termination fair = decide_termination(test.program, model, {}, {});
    CHECK(fair.hangs == (one.hangs ? Verdict::allowed : Verdict::forbidden));
    CHECK(fair.witness.has_value() == one.hangs);
    CHECK(fair.stuck.empty() == !one.hangs);
    for (const StuckThread& stuck : fair.stuck)
      CHECK((stuck.how == Ending::Kind::spinning || stuck.how == Ending::Kind::waiting));
    const Progress occupancy{.kind = Progress::Kind::occupancy, .together = Scope::cta};
    const Termination unstarted = decide_termination(test.program, model, {}, occupancy);
    CHECK(unstarted.hangs == (one.hangs_unstarted ? Verdict::allowed : Verdict::forbidden));
  }
}

TEST_CASE("within limits: what is decided is kept, and the time is recorded") {
  const Termination result =
      within_limits({}, [](Termination& answer) { answer.hangs = Verdict::forbidden; });
  CHECK(result.hangs == Verdict::forbidden);
  CHECK(result.seconds >= 0);
}
