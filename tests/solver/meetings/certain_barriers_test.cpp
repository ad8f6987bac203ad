#include "solver/meetings/certain_barriers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "solver/unfolding/substitution.hpp"
#include "solver/unfolding/unfold.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// The phases of the barriers of two threads, in the order of the events.
std::vector<int> phases(const std::string& rows) {
  TermGraph graph;
  const LitmusTest test = parse_litmus(
      "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "exists (x == 0)", "t.litmus");
  UnfoldOptions options;
  options.may_wait_for_ever = true;
  const CertainBarriers certain = with_certain_barriers(unfold(test.program, graph, options));
  std::vector<int> result;
  for (std::size_t i = 0; i < certain.schedule.size(); ++i) {
    const Event& event = certain.structure.events[i];
    if (event.kind == EventKind::barrier) result.push_back(certain.schedule[i]);
    if (certain.schedule[i] >= 0) CHECK((event.goes_on.is_true() && event.condition.is_true()));
  }
  CHECK(certain.has_any == std::ranges::any_of(result, [](int phase) { return phase >= 0; }));
  return result;
}

using PhaseNumbers = std::vector<int>;

}  // namespace

TEST_CASE("barriers that all threads execute in every execution have known phases") {
  const PhaseNumbers found = phases(" bar.sync 0 | bar.sync 0 ;\n bar.sync 0 | bar.sync 0 ;\n");
  REQUIRE(found.size() == 4);
  CHECK(found[0] == found[2]);
  CHECK(found[1] == found[3]);
  CHECK(found[0] != found[1]);
  CHECK(found[0] >= 0);
}

// The last barrier comes first in the order in which barriers are looked at.
TEST_CASE("a barrier behind several barriers is certain, whichever is looked at first") {
  const PhaseNumbers found =
      phases(" bar.sync 2 | bar.sync 2 ;\n bar.sync 1 | bar.sync 1 ;\n bar.sync 0 | bar.sync 0 ;\n");
  REQUIRE(found.size() == 6);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(found[i] >= 0);
    CHECK(found[i] == found[i + 3]);
  }
}

TEST_CASE("a barrier behind a branch on a read, and all behind it, are not certain") {
  const PhaseNumbers found = phases(
      " bar.sync 0   | bar.sync 0 ;\n ld.weak r0, x | ;\n setp.eq.s64 p0, r0, 0 | ;\n @p0 bar.sync 0 | "
      "bar.sync 0 ;\n");
  REQUIRE(found.size() == 4);
  CHECK(found[0] == found[2]);
  CHECK(found[1] == -1);
  CHECK(found[3] == -1);
}

TEST_CASE("barriers that wait for each other in a circle, and barriers with a count, are not certain") {
  CHECK(phases(" bar.sync 0 | bar.sync 1 ;\n bar.sync 1 | bar.sync 0 ;\n") == PhaseNumbers{-1, -1, -1, -1});
  CHECK(phases(" bar.sync 0, 64 | bar.sync 0, 64 ;\n") == PhaseNumbers{-1, -1});
}

namespace {

/// What two threads read.
enum class Reads { any, same };

/// Makes all reads return the same.
void unite_reads(EventStructure& structure) {
  Substitution same;
  std::optional<Bits> first;
  for (const Event& event : structure.events) {
    if (event.kind != EventKind::read) continue;
    if (!first) first = event.value;
    same.set(event.value.term()->variable, *first);
  }
  substitute(structure, same);
}

/// The conditions under which two threads go on behind their barriers, in the order of the events.
std::vector<Bits> ways_on(TermGraph& graph, const std::string& rows, Reads reads = Reads::any) {
  const LitmusTest test = parse_litmus(
      "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "exists (x == 0)", "t.litmus");
  UnfoldOptions options;
  options.may_wait_for_ever = true;
  options.unchanged_is_idle = true;
  EventStructure structure = unfold(test.program, graph, options);
  if (reads == Reads::same) unite_reads(structure);
  std::vector<Bits> result;
  for (const Event& event : with_common_phases(std::move(structure)).structure.events)
    if (event.kind == EventKind::barrier) result.push_back(event.goes_on);
  return result;
}

}  // namespace

TEST_CASE("threads go on together behind a barrier that one of them reaches after a loop that waits") {
  TermGraph graph;
  const std::string loop =
      " L:                   |            ;\n ld.relaxed.gpu r0, x | bar.sync 0 ;\n"
      " setp.eq.s64 p0, r0, 0 | bar.sync 1 ;\n @p0 bra L | ;\n bar.sync 0 | ;\n bar.sync 1 | ;\n";
  const std::vector<Bits> found = ways_on(graph, loop);
  REQUIRE(found.size() == 4);
  for (const Bits& goes_on : found) {
    CHECK(identical(goes_on, found[0]));
    CHECK(variables_of(goes_on).size() == 1);  // what the loop reads
  }
}

TEST_CASE("threads that may end before a barrier, or wait in a circle, do not go on together") {
  TermGraph graph;
  const std::vector<Bits> ends =
      ways_on(graph, " ld.weak r0, x | bar.sync 0 ;\n setp.eq.s64 p0, r0, 0 | ;\n @p0 bar.sync 0 | ;\n");
  REQUIRE(ends.size() == 2);
  CHECK(!identical(ends[0], ends[1]));
  const std::vector<Bits> circle = ways_on(graph, " bar.sync 0 | bar.sync 1 ;\n bar.sync 1 | bar.sync 0 ;\n");
  REQUIRE(circle.size() == 4);
  CHECK(!identical(circle[0], circle[3]));
  CHECK(!identical(circle[1], circle[2]));
}

TEST_CASE("threads that all arrive at a barrier, or all end before it, go on together") {
  const std::string rows =
      " ld.weak r0, x         | ld.weak r0, x         ;\n"
      " setp.eq.s64 p0, r0, 0 | setp.eq.s64 p0, r0, 0 ;\n"
      " @p0 bar.sync 0        | @p0 bar.sync 0        ;\n"
      " @p0 bar.sync 0        | @p0 bar.sync 0        ;\n";
  for (const Reads reads : {Reads::any, Reads::same}) {
    TermGraph graph;
    const std::vector<Bits> found = ways_on(graph, rows, reads);
    REQUIRE(found.size() == 4);
    for (const Bits& goes_on : found)
      CHECK(identical(goes_on, found[0]) == (reads == Reads::same || &goes_on == &found[0]));
  }
}
