// Which flags of a model some execution raises, according to both engines and to the judge of all executions.
#include "solver/smt_engine/raised_flags.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "model/judge/judge.hpp"
#include "solver/encoding/encoding.hpp"
#include "solver/explorer/explorer.hpp"
#include "solver/unfolding/unfold.hpp"
#include "tests/solver/final_states.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Compares a finding with all executions. If some execution is longer than the bound, a flag that none of
/// these raises may be open.
void check_finding(const FlagFinding& finding, const cat::Model& model, const AllExecutions& all) {
  CAPTURE(finding.name);
  CAPTURE(finding.engine);
  const auto flag = std::ranges::find(model.flags, finding.name, &cat::Test::name);
  REQUIRE(flag != model.flags.end());
  const auto which = static_cast<std::size_t>(flag - model.flags.begin());
  const bool is_raised = std::ranges::any_of(all.accepted, [&](const Execution& execution) -> bool {
    return judge_axioms_and_flags(model, execution).flags[which];
  });
  if (finding.raised == Verdict::unknown) {
    CHECK_FALSE(is_raised);
    CHECK(finding.reason == "loop bound 1");
    return;
  }
  CHECK((finding.raised == Verdict::allowed) == is_raised);
  CHECK(finding.witness.has_value() == is_raised);
  if (!finding.witness) return;
  const Judgement judgement = judge_axioms_and_flags(model, *finding.witness);
  CHECK(judgement.accepted());
  CHECK(judgement.flags[which]);
}

void compare(const cat::Model& model, const SmallProgram& program, const AllExecutions& all) {
  if (!is_covered(model, all)) return;
  DecideOptions options = one_iteration_counted();
  options.count_executions = false;
  std::vector<std::string> names;
  for (const cat::Test& flag : model.flags) names.push_back(flag.name);
  for (const FlagFinding& finding : find_flags(program.test.program, model, options, names))
    check_finding(finding, model, all);
  for (const FlagFinding& finding : explore_flags(program.test.program, model, options, names))
    check_finding(finding, model, all);
}

}  // namespace

TEST_CASE("a flag is raised if and only if some execution raises it") {
  for (const char* name : {"ptx-8.7", "ptx-6.4"}) {
    const cat::Model model = cat::load(name);
    for (const auto& program : small_programs(name)) {
      CAPTURE(name);
      CAPTURE(program->text);
      compare(model, *program, program->all);
    }
  }
}

TEST_CASE("accesses that overlap partially are of different threads and cover other bytes") {
  const auto may_overlap = [](const std::string& first, const std::string& second) {
    const LitmusTest test = parse_litmus("PTX t { a : u32[2]; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + first +
                                             " | " + second + " ;\nexists (P1:r0 == 1)",
                                         "t.litmus");
    TermGraph graph;
    return may_overlap_partially(unfold(test.program, graph, {}));
  };
  CHECK(may_overlap("st.weak.u32 [a], 1", "ld.weak.u16 r0, [a+2]"));
  CHECK_FALSE(may_overlap("st.weak.u32 [a], 1", "ld.weak.u32 r0, [a]"));
  CHECK_FALSE(may_overlap("st.weak.u16 [a], 1", "ld.weak.u16 r0, [a+2]"));
  CHECK_FALSE(may_overlap("st.weak.u32 [a+4], 1", "ld.weak.u16 r0, [a+2]"));
}
