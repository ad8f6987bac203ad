// What is proved impossible happens in no execution: of all executions of small programs, and in launches for
// which the manual gives the answer.
#include "solver/launch/launch_proofs.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "model/judge/judge.hpp"
#include "solver/meetings/settled_reads.hpp"
#include "tests/solver/final_states.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// The proofs under the only schedule of the barriers.
LaunchProofs proofs_of(const LaunchQuestion& question, TermGraph& graph) {
  const EventStructure unscheduled =
      with_settled_reads(*question.structure, BarrierSchedule(question.structure->events.size(), -1));
  const auto schedules = barrier_schedules(unscheduled);
  REQUIRE(schedules.has_value());
  REQUIRE(schedules->size() == 1);
  const BarrierSchedule& schedule = schedules->front();
  const EventStructure scheduled = with_settled_reads(under_schedule(unscheduled, schedule), schedule);
  return prove(question, scheduled, schedule, {}, graph);
}

/// Two threads of a CTA, each a warp or both in one warp, over x and y, which are 0 or of unknown content.
struct Launch {
  LitmusTest test;
  TermGraph graph;
  EventStructure structure;

  explicit Launch(const std::string& rows, int threads_of_warp = 1, bool is_known = true)
      : test(launch_of("{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "exists (x == 0)",
                       threads_of_warp)) {
    for (Variable& variable : test.program.memory)
      if (!is_known) variable.initial.assign(variable.initial.size(), Bits());
    structure = events_of(test, graph);
  }
};

LaunchProofs proofs_about(const std::string& rows, int threads_of_warp = 1, bool is_known = true) {
  Launch launch(rows, threads_of_warp, is_known);
  return proofs_of(question_about(launch.structure), launch.graph);
}

bool is_proved(const std::string& rows, LaunchProperty property, int threads_of_warp = 1,
               bool is_known = true) {
  return proofs_about(rows, threads_of_warp, is_known).impossible.contains(property);
}

/// Whether it is proved that the final value of x (the first variable) is this.
bool ends_with(const std::string& rows, unsigned x, bool is_known = true) {
  Launch launch(rows, 1, is_known);
  LaunchQuestion question = question_about(launch.structure);
  question.final_condition = first_element_is(x);
  return proofs_of(question, launch.graph).impossible.contains(LaunchProperty::assertion);
}

constexpr const char* barrier = " bar.cta.sync 0 | bar.cta.sync 0 ;\n";

}  // namespace

TEST_CASE("no execution of a small program shows what is proved impossible") {
  const cat::Model model = cat::load("ptx-8.7");
  FinalTerm x;
  x.kind = FinalTerm::Kind::memory;
  int without_race = 0, with_one_end = 0, open = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    const auto numbers = final_numbers(model, *program, program->all, x);
    if (!numbers || !is_covered(model, program->all)) continue;
    LaunchQuestion question = question_about(program->structure);
    question.final_condition = first_element_is(*numbers->begin());
    const auto impossible = proofs_of(question, program->graph).impossible;
    open += impossible.size() < question.properties.size() ? 1 : 0;
    if (impossible.contains(LaunchProperty::race)) {
      ++without_race;
      for (const Execution& execution : program->all.accepted)
        CHECK(judge(model, execution).relations.at("data_race").empty());
    }
    if (impossible.contains(LaunchProperty::assertion)) {
      ++with_one_end;
      CHECK(numbers->size() == 1);
    }
  }
  CHECK(without_race > 0);
  CHECK(with_one_end > 0);
  CHECK(open > 10);
}

// PTX ISA 8.7 § 9.7.13.1: accesses before a barrier are performed for all threads of the CTA behind it.
TEST_CASE("a barrier between conflicting accesses excludes a race, and determines what is read") {
  const std::string write = " st.weak x, 1 | ;\n", read = " | ld.weak r0, x ;\n";
  CHECK_FALSE(is_proved(write + read, LaunchProperty::race));
  CHECK(is_proved(write + barrier + read, LaunchProperty::race));
  const std::string trap = " | bne r0, 0, E ;\n | trap ;\n | E: ;\n";
  CHECK(is_proved(write + barrier + read + trap, LaunchProperty::assertion));
  CHECK_FALSE(is_proved(write + read + trap, LaunchProperty::assertion));
  CHECK_FALSE(is_proved(read + barrier + write + trap, LaunchProperty::assertion));
}

TEST_CASE("the final condition is proved from the last write before the end") {
  CHECK(ends_with(" st.weak x, 1 | ;\n", 1));
  CHECK_FALSE(ends_with(" st.weak x, 1 | ;\n", 0));
  CHECK(ends_with(std::string(" st.weak x, 1 | ;\n") + barrier + " | st.weak x, 2 ;\n", 2));
  CHECK_FALSE(ends_with(std::string(" st.weak x, 1 | ;\n") + barrier + " | st.weak x, 2 ;\n", 1));
  CHECK_FALSE(ends_with(" st.weak x, 1 | st.weak x, 2 ;\n", 2));  // in either order
  CHECK(ends_with(" st.weak y, 1 | ;\n", 0));
  CHECK_FALSE(ends_with(" st.weak y, 1 | ;\n", 0, false));
}

TEST_CASE("a read of unknown content is excluded by a write that precedes it") {
  constexpr auto uninitialized = LaunchProperty::uninitialized;
  const std::string read = " | ld.weak r0, x ;\n", write = " st.weak x, 1 | ;\n";
  CHECK(is_proved(read, uninitialized));
  CHECK_FALSE(is_proved(read, uninitialized, 1, false));
  CHECK_FALSE(is_proved(write + read, uninitialized, 1, false));
  CHECK(is_proved(write + barrier + read, uninitialized, 1, false));
  CHECK_FALSE(is_proved(read + barrier + write, uninitialized, 1, false));
  CHECK(is_proved(" | st.weak x, 1 ;\n" + read, uninitialized, 1, false));
}

TEST_CASE("stray accesses, divergence and threads that wait for ever are excluded where none is possible") {
  CHECK(is_proved(" ld.weak r0, x | ;\n", LaunchProperty::out_of_bounds));
  CHECK_FALSE(is_proved(" ld.weak r0, [x+4] | ;\n", LaunchProperty::out_of_bounds));
  // § 9.7.13.1: all threads of a warp execute the same aligned barrier.
  CHECK(is_proved(" bar.sync 0 | bar.sync 0 ;\n", LaunchProperty::divergence, 2));
  CHECK_FALSE(is_proved(" bar.sync 0 | ;\n", LaunchProperty::divergence, 2));
  CHECK(is_proved(" bar.sync 0 | ;\n", LaunchProperty::divergence, 1));
  const std::string wait = " L: ld.relaxed.gpu r0, x | ;\n beq r0, 0, L | ;\n";
  CHECK_FALSE(is_proved(wait, LaunchProperty::deadlock));
  CHECK(is_proved(" ld.relaxed.gpu r0, x | ;\n", LaunchProperty::deadlock));
}

// PTX ISA 6.4 § 9.7.12.1: operations barrier.red must not be intermixed with barrier.arrive.
TEST_CASE("a reduction and an arrival of one phase are undefined, two reductions are not") {
  const std::string predicate = " setp.eq.s32 p0, r1, 0 | setp.eq.s32 p0, r1, 0 ;\n";
  const std::string reduction = " barrier.cta.red.popc.u32 r0, 0, 64, p0 |";
  constexpr auto undefined = LaunchProperty::undefined;
  CHECK_FALSE(is_proved(predicate + reduction + " barrier.cta.arrive 0, 64 ;\n", undefined));
  CHECK(is_proved(predicate + reduction + " barrier.cta.red.popc.u32 r0, 0, 64, p0 ;\n", undefined));
}

TEST_CASE("a loop that may need more iterations than the bound is noticed") {
  CHECK_FALSE(proofs_about(" ld.relaxed.gpu r0, x | ;\n").may_reach_bound);
  CHECK(proofs_about(" L: atom.relaxed.gpu.add r0, y, 1 | ;\n ld.relaxed.gpu r0, x | ;\n beq r0, 0, L | ;\n")
            .may_reach_bound);
}
