// Places in unrolled code, and paths that merge.
#include "solver/unfolding/unfolding_path.hpp"

#include <doctest/doctest.h>

#include "tests/solver/thread_code.hpp"

using namespace ptxmc;

namespace {

/// A loop (instructions 1 to 3) in which a loop is (instruction 2), between two instructions.
struct Code {
  LitmusTest test = with_thread(
      "add r0, r0, 1 ; L: add r1, r1, 1 ; M: atom.relaxed.gpu.add r2, x, 1 ; beq r2, 0, M ; beq r1, 3, L ; "
      "add r3, r3, 1 ;");
  const Thread& thread = test.program.threads[0];
  FunctionBody body =
      function_body(thread.code, register_uses(thread.code), thread.register_names.size(), {}, 0);

  Path path() const {
    Path result;
    UnfoldingFrame& frame = result.frames.emplace_back();
    frame.body = &body;
    frame.registers = thread.initial_registers;
    frame.sources.assign(frame.registers.size(), 0);
    return result;
  }
  /// The node at which a loop begins: the target of the n-th back edge.
  Target head(std::size_t depth) const {
    for (Target node = 0; node < thread.code.size(); ++node)
      if (body.flow.enclosing_heads(node).size() > depth) return body.flow.enclosing_heads(node)[depth];
    FAIL("no such loop");
    return 0;
  }
};

}  // namespace

TEST_CASE("all iterations of a loop come before the code behind it, and each before the next") {
  const Code code;
  Path path = code.path();
  UnfoldingFrame& frame = path.frame();
  const auto end = static_cast<Target>(code.thread.code.size());
  std::vector<UnrolledPlace> places;
  const auto go = [&](Target node, bool is_back_edge) {
    enter_loops(frame, node, is_back_edge);
    places.push_back(place_of(path, node));
  };
  const Target outer = code.head(0), inner = code.head(1);
  go(0, false);
  CHECK(frame.loops.empty());
  go(outer, false);
  CHECK(frame.loops.size() == 1);
  go(inner, false);
  go(inner, true);
  go(inner, true);
  REQUIRE(frame.loops.size() == 2);
  CHECK(frame.loops[0].iteration == 0);
  CHECK(frame.loops[1].iteration == 2);
  enter_loops(frame, outer, true);
  places.push_back(place_of(path, outer));
  REQUIRE(frame.loops.size() == 1);
  CHECK(frame.loops[0].iteration == 1);
  go(inner, false);
  CHECK(frame.loops[1].iteration == 0);
  go(end, false);
  CHECK(frame.loops.empty());
  for (std::size_t i = 0; i + 1 < places.size(); ++i) CHECK(places[i] < places[i + 1]);
}

TEST_CASE("merged paths have the values of the path that is taken, and the sources of both") {
  const Code code;
  TermGraph graph;
  ReadSets reads;
  const Bits first = graph.variable(1, "first"), second = graph.variable(1, "second");
  Path a = code.path(), b = code.path();
  a.condition = first;
  b.condition = ~first & second;
  const unsigned width = a.frame().registers[0].width();
  a.frame().registers[0] = Bits(width, 5);
  b.frame().registers[0] = Bits(width, 9);
  a.frame().sources[0] = reads.single(1);
  b.frame().sources[0] = reads.single(4);
  a.control = reads.single(2);
  b.control = reads.single(3);
  a.exchanges[{"vote", 3}] = Bits(32, 1);
  b.freed[0x100] = Bits::boolean(true);
  a.stack = 16;
  b.stack = 32;
  a.least_cluster_arrivals = a.most_cluster_arrivals = 1;
  merge(a, b, reads);
  CHECK(reads.elements(a.frame().sources[0]) == std::vector<EventId>{1, 4});
  CHECK(reads.elements(a.control) == std::vector<EventId>{2, 3});
  CHECK(a.stack == 32);
  CHECK(a.least_cluster_arrivals == 0);
  CHECK(a.most_cluster_arrivals == 1);
  for (const bool takes_first : {true, false}) {
    Substitution values;
    values.set(first.term()->variable, Bits::boolean(takes_first));
    values.set(second.term()->variable, Bits::boolean(true));
    CHECK(values.apply(a.condition).is_true());
    CHECK(values.apply(a.frame().registers[0]).to_u64() == (takes_first ? 5 : 9));
    CHECK(values.apply(a.exchanges.at({"vote", 3})).to_u64() == (takes_first ? 1 : 0));
    CHECK(values.apply(a.freed.at(0x100)).is_true() == !takes_first);
  }
  Substitution neither;
  neither.set(first.term()->variable, Bits::boolean(false));
  neither.set(second.term()->variable, Bits::boolean(false));
  CHECK(neither.apply(a.condition).is_false());
}
