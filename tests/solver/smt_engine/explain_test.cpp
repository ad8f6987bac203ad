// Why an outcome is forbidden: the axioms that are named forbid it together, and no fewer of them do.
#include "solver/smt_engine/explain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "model/judge/judge.hpp"
#include "tests/solver/final_states.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Whether the condition of a program is allowed by these axioms of a model alone.
std::optional<bool> is_allowed(cat::Model model, const SmallProgram& program,
                               const std::set<std::string>& axioms) {
  std::erase_if(model.axioms, [&](const cat::Test& axiom) { return !axioms.contains(axiom.name); });
  const auto all = all_executions(program.structure, model);
  if (!all) return std::nullopt;
  const auto states = final_states(model, program, *all);
  if (!states) return std::nullopt;
  const StateProposition condition(program.test.question.condition, shown_terms(program.test.question));
  return std::ranges::any_of(*states, [&](const auto& state) { return condition.holds(state.first); });
}

const std::string header = " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n";

/// Outcomes that PTX forbids, for different reasons.
const std::string forbidden[] = {
    // message passing (8.10.6)
    "PTX mp { x=0; y=0; }" + header +
        "st.weak x, 1 | ld.acquire.gpu r0, y ;\nst.release.gpu y, 1 | ld.weak r1, x ;\nexists (P1:r0 == 1 "
        "/\\ P1:r1 == 0)",
    // load buffering with data (8.10.4)
    "PTX lb { x=0; y=0; }" + header +
        "ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\nst.relaxed.gpu y, r0 | st.relaxed.gpu x, r0 ;\n"
        "exists (P0:r0 == 1)",
    // store buffering with fences (8.10.2)
    "PTX sb { x=0; y=0; }" + header +
        "st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\nfence.sc.gpu | fence.sc.gpu ;\n"
        "ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\nexists (P0:r0 == 0 /\\ P1:r0 == 0)",
    // two increments that read the same value (8.10.3)
    "PTX inc { x=0; }" + header +
        "atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;\nexists (P0:r0 == 0 /\\ P1:r0 == 0)",
    // reads of one location against coherence (8.10.5)
    "PTX corr { x=0; }" + header +
        "st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\n | ld.relaxed.gpu r1, x ;\nexists (P1:r0 == 1 /\\ "
        "P1:r1 == 0)"};

}  // namespace

TEST_CASE("the axioms of an explanation forbid the outcome together, and each of them is needed") {
  const cat::Model model = cat::load("ptx-8.7");
  int explained = 0;
  for (const std::string& text : forbidden) {
    CAPTURE(text);
    const SmallProgram program(text);
    const Explanation explanation = explain_forbidden(program.test.program, program.test.question, model, {});
    CHECK(explanation.reason.empty());
    std::set<std::string> axioms;
    for (const BrokenAxiom& broken : explanation.axioms) CHECK(axioms.insert(broken.name).second);
    if (axioms.empty()) continue;
    ++explained;
    if (const auto allowed = is_allowed(model, program, axioms)) CHECK_FALSE(*allowed);
    for (const BrokenAxiom& broken : explanation.axioms) {
      CAPTURE(broken.name);
      std::set<std::string> others = axioms;
      others.erase(broken.name);
      // all_executions has no values out of thin air, whatever the model allows.
      if (broken.name != "no_thin_air")
        if (const auto allowed = is_allowed(model, program, others)) CHECK(*allowed);
      // The execution shown breaks this axiom.
      const Judgement judgement = judge_axioms(model, broken.execution);
      CHECK(judgement.malformed.empty());
      CHECK_FALSE(broken.because.empty());
      bool breaks_other = false;
      for (std::size_t i = 0; i < model.axioms.size(); ++i) {
        if (model.axioms[i].name == broken.name)
          CHECK_FALSE(judgement.axioms[i]);
        else
          breaks_other = breaks_other || !judgement.axioms[i];
      }
      CHECK(broken.breaks_no_other == !breaks_other);
    }
  }
  CHECK(explained == 5);
}

TEST_CASE(
    "an outcome that is allowed has no explanation; a final value that is overwritten names the write") {
  const cat::Model model = cat::load("ptx-8.7");
  const SmallProgram allowed("PTX a { x=0; }" + header +
                             "st.weak x, 1 | ld.weak r0, x ;\nexists (P1:r0 == 1)");
  const Explanation none = explain_forbidden(allowed.test.program, allowed.test.question, model, {});
  CHECK(none.axioms.empty());
  CHECK_FALSE(none.followed);

  const SmallProgram program(
      "PTX b { x=0; } P0@cta 0,gpu 0 ;\nst.weak x, 1 ;\nst.weak x, 2 ;\nexists (x == 1)");
  const Explanation followed = explain_forbidden(program.test.program, program.test.question, model, {});
  CHECK(followed.axioms.empty());
  REQUIRE(followed.followed);
  const auto& events = followed.followed->execution.events;
  CHECK(events[static_cast<std::size_t>(followed.followed->write)].value.to_u64() == 1);
  CHECK(events[static_cast<std::size_t>(followed.followed->later)].value.to_u64() == 2);
  CHECK_FALSE(followed.followed->because.empty());
}
