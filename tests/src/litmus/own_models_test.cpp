#include <doctest/doctest.h>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "solver/smt_engine/final_state_search.hpp"
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

TEST_CASE("from-reads lead to writes, whatever a user's coherence order relates") {
  const cat::Model model = cat::parse({"reads-in-co.cat", R"(PTX "coherence with reads"
let co = (IW * R) & loc
acyclic po | fr | rf as order
)"},
                                      {});
  const LitmusTest test = parse_litmus(R"(PTX read-twice
{ x=0; }
 P0@cta 0,gpu 0 ;
 ld.weak r0, x  ;
 ld.weak r1, x  ;
exists (P0:r0 == 0)
)",
                                       "read-twice.litmus");
  CHECK(decide_with(Engine::both, test.program, test.question, model, {}).verdict == Verdict::allowed);
}
