#include <doctest/doctest.h>

#include "model/cat_model.hpp"
#include "solver/decide.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

TEST_CASE("a choice that no axiom of a user's model uses is made all the same") {
  const cat::Model model = cat::parse({"unused.cat", R"(PTX "unused choice"
with ww from orientations((W \ IW) * (W \ IW) & loc)
with co from orientations(loc & ((W \ IW) * (W \ IW)))
acyclic po | rf as no_thin_air
)"},
                                      {});
  const LitmusTest test = parse_litmus(R"(PTX two-writers
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1   | st.weak x, 2   ;
exists (x == 1)
)",
                                       "two-writers.litmus");
  const Answer answer = decide(test.program, test.question, model, {});
  CHECK(answer.verdict == Verdict::allowed);
}
