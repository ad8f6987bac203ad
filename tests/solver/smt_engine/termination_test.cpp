// Threads that never end, under fair scheduling and where only started threads are scheduled.
#include "solver/smt_engine/termination.hpp"

#include <doctest/doctest.h>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

struct Case {
  const char* why;
  const char* header;
  const char* rows;
  bool hangs;            // fair
  bool hangs_unstarted;  // if threads of other CTAs may never start
};

const Case cases[] = {
    {"nothing to wait for", "P0@cta 0,gpu 0", "st.relaxed.gpu x, 1 ;", false, false},
    {"a flag that another CTA sets", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
     "L: ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\nbeq r0, 0, L | ;", false, true},
    {"a flag that a thread of the CTA sets", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0",
     "L: ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\nbeq r0, 0, L | ;", false, false},
    {"a flag that nothing sets", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0",
     "L: ld.relaxed.gpu r0, x | st.relaxed.gpu y, 1 ;\nbeq r0, 0, L | ;", true, true},
    {"a flag that is set to another value afterwards", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0",
     "L: ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\nbne r0, 1, L | st.relaxed.gpu x, 2 ;", true, true},
    {"each waits for the other", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0",
     "L: ld.relaxed.gpu r0, x | L: ld.relaxed.gpu r0, y ;\nbeq r0, 0, L | beq r0, 0, L ;\n"
     "st.relaxed.gpu y, 1 | st.relaxed.gpu x, 1 ;",
     true, true},
    {"a barrier that a thread never reaches", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0",
     "bar.cta.sync 0, 0 | L: ld.relaxed.gpu r0, x ;\nst.relaxed.gpu x, 1 | beq r0, 0, L ;\n | bar.cta.sync "
     "0, 0 ;",
     true, true},
    {"a barrier before the wait", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0",
     "bar.cta.sync 0, 0 | bar.cta.sync 0, 0 ;\nst.relaxed.gpu x, 1 | L: ld.relaxed.gpu r0, x ;\n | beq r0, "
     "0, L ;",
     false, false},
};

}  // namespace

TEST_CASE("a thread hangs if and only if what it waits for may never come") {
  const cat::Model model = cat::load("ptx-8.7");
  for (const Case& one : cases) {
    CAPTURE(one.why);
    const LitmusTest test = parse_litmus(
        "PTX t { x=0; y=0; } " + std::string(one.header) + " ;\n" + one.rows + "\nexists (x == 1)",
        "t.litmus");
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
