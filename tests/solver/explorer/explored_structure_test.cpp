// Litmus tests whose phases are the same in every execution: PTX ISA 8.7 § 9.7.13.1.
#include "solver/explorer/explored_structure.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

EventStructure unfolded(const LitmusTest& test, TermGraph& graph) {
  UnfoldOptions options;
  options.may_wait_for_ever = true;
  return unfold(test.program, graph, options);
}

LitmusTest two_threads(const std::string& rows) {
  return parse_litmus("PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "\nexists (x == 0)",
                      "t.litmus");
}

}  // namespace

TEST_CASE("the phases of barriers that all threads execute are known") {
  TermGraph graph;
  const LitmusTest test = two_threads(
      " bar.cta.sync 0 | bar.cta.sync 0 ;\n st.weak x, 1 | bar.cta.sync 0 ;\n bar.cta.sync 0 | ;");
  const EventStructure structure = unfolded(test, graph);
  const ExploredStructure explored(structure);
  for (const Bits& term : explored.barriers().terms()) CHECK(term.is_constant());
  CHECK(explored.counted() == nullptr);
  for (const Event& event : explored.events().events)
    if (event.kind == EventKind::barrier) CHECK(event.goes_on.is_true());
}

TEST_CASE("phases that not all threads reach are explored") {
  for (const std::string rows : {" bar.cta.sync 0 | bar.cta.sync 0 ;\n | bar.cta.sync 0 ;",
                                 " bar.cta.sync 0 | ;\n", " bar.cta.sync 0 | bar.cta.sync 1 ;"}) {
    TermGraph graph;
    const LitmusTest test = two_threads(rows);
    const EventStructure structure = unfolded(test, graph);
    CHECK(ExploredStructure(structure).counted() != nullptr);
  }
}

TEST_CASE("phases that depend on reads are explored") {
  TermGraph graph;
  const LitmusTest test =
      two_threads(" ld.weak r0, x | bar.cta.sync 0 ;\n bne r0, 0, End | ;\n bar.cta.sync 0 | ;\n End: | ;");
  const EventStructure structure = unfolded(test, graph);
  const ExploredStructure explored(structure);
  const std::vector<Bits> terms = explored.barriers().terms();
  CHECK_FALSE(std::ranges::all_of(terms, &Bits::is_constant));
  CHECK(explored.counted() != nullptr);
}

TEST_CASE("phases with a thread count are chosen") {
  TermGraph graph;
  const LitmusTest test = two_threads(" barrier.sync 0, 64 | barrier.sync 0, 64 ;");
  const EventStructure structure = unfolded(test, graph);
  CHECK(ExploredStructure(structure).counted() != nullptr);
}
