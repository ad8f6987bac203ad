#include "solver/launch/decisive_inputs.hpp"

#include <doctest/doctest.h>

#include "solver/launch/launch_properties.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// The inputs of the race for z; x holds the input n at the beginning, y the input m.
Inputs inputs_of_race(const std::string& rows) {
  LitmusTest test = launch_of("{ x=0; y=0; z=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n" + rows +
                              " st.weak z, r1 | st.weak z, 1 ;\nexists (x == 0)");
  TermGraph graph;
  const Bits n = graph.variable(64, "n"), m = graph.variable(64, "m");
  test.program.memory[0].initial = {n};
  test.program.memory[1].initial = {m};
  const EventStructure structure = events_of(test, graph);
  LaunchQuestion question = question_about(structure);
  question.properties = {LaunchProperty::race};
  question.inputs = {{"n", type_of(".s64"), n}, {"m", type_of(".s64"), m}};
  const LaunchAnswer answer = check_launch(question, cat::load("ptx-8.7"), {}, graph);
  REQUIRE(answer.findings.size() == 1);
  return answer.findings[0].inputs;
}

}  // namespace

TEST_CASE("an input that decides whether an access happens matters, one that is only written does not") {
  const Inputs inputs = inputs_of_race(
      " ld.weak r0, x | ;\n setp.gt.s64 p0, r0, 300 | ;\n ld.weak r1, y | ;\n @!p0 exit | ;\n");
  CHECK(inputs[0].matters);
  CHECK(inputs[0].value.to_s64() > 300);
  CHECK(inputs[0].value.to_s64() <= 4096);
  CHECK_FALSE(inputs[1].matters);
  CHECK(inputs[1].value.to_s64() <= 4096);
}

TEST_CASE(
    "no input matters for a race that always happens, unless something that synchronizes depends on it") {
  const Inputs always = inputs_of_race(" ld.weak r0, x | ;\n ld.weak r1, y | ;\n");
  CHECK_FALSE(always[0].matters);
  CHECK_FALSE(always[1].matters);
  const Inputs synchronizes = inputs_of_race(
      " ld.weak r0, x | ;\n setp.eq.s64 p0, r0, 5 | ;\n ld.weak r1, y | ;\n @p0 fence.sc.gpu | ;\n");
  CHECK(synchronizes[0].matters);
}
