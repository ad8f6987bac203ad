#pragma once

#include <string>
#include <vector>

#include "src/litmus/litmus_test.hpp"

namespace ptxmc::test {

/// A program over x and y, both 0, and whether some thread never ends.
struct WaitingProgram {
  const char* why;
  const char* header;
  const char* rows;
  bool hangs;            ///< under fair scheduling
  bool hangs_unstarted;  ///< if threads of other CTAs may never start

  LitmusTest test() const {
    return parse_litmus("PTX t { x=0; y=0; } " + std::string(header) + " ;\n" + rows + "\nexists (x == 1)",
                        "t.litmus");
  }
};

inline const WaitingProgram waiting_programs[] = {
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

}  // namespace ptxmc::test
