#include "solver/launch/examined_interleavings.hpp"

#include <doctest/doctest.h>

#include <set>

#include "model/cat/embedded_models.hpp"
#include "tests/solver/launch_columns.hpp"

using namespace ptxmc;

namespace {

/// The properties with findings in executions in which the threads take turns.
std::set<LaunchProperty> found(const Columns& columns, unsigned count_of_a) {
  TermGraph graph;
  const LitmusTest test = columns.test(count_of_a);
  const EventStructure structure = events_of(test, graph);
  LaunchAnswer answer;
  find_in_turns(question_about(structure), cat::load("ptx-8.7"), {}, graph, answer);
  std::set<LaunchProperty> result;
  for (const LaunchFinding& finding : answer.findings) result.insert(finding.property);
  return result;
}

}  // namespace

TEST_CASE("an access that does not wait for the arrival races") {
  Columns columns(2);
  columns.add(0, "st.weak.u32 [x], 1").add(0, "mbarrier.arrive.b64 _, [a]");
  columns.add(1, "st.weak.u32 [x], 2").wait(1, "a", "0");
  CHECK(found(columns, 1) == std::set{LaunchProperty::race});
}

TEST_CASE("an access behind the wait does not") {
  Columns columns(2);
  columns.add(0, "st.weak.u32 [x], 1").add(0, "mbarrier.arrive.b64 _, [a]");
  columns.wait(1, "a", "0").add(1, "st.weak.u32 [x], 2");
  CHECK(found(columns, 1).empty());
}

TEST_CASE("a wait for an arrival that does not come is a deadlock") {
  Columns columns(2);
  columns.add(0, "mbarrier.arrive.b64 _, [a]");
  columns.wait(1, "a", "0");
  CHECK(found(columns, 2) == std::set{LaunchProperty::deadlock});
}

// PTX ISA 8.7 § 9.7.13.15.10. Where accesses overlap partially behind the undefined use, the part of the
// execution up to the use shows it.
TEST_CASE("the end of the life of an object while another thread polls it") {
  Columns columns(3);
  columns.add(0, "mbarrier.arrive.b64 _, [a]").wait(0, "a", "0").add(0, "mbarrier.inval.b64 [a]");
  for (const std::size_t thread : {1, 2}) columns.wait(thread, "a", "0");
  CHECK(found(columns, 1) == std::set{LaunchProperty::undefined});
}
