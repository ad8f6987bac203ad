#include "solver/unfolding/control_flow_graph.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "semantics/language/diagnostic.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;

namespace {

/// Two loops, one in the other, and a branch over the inner one. A comparing branch is a setp and a bra.
const char* nested = R"(
  LC00: ld.relaxed.gpu r0, x ;
  beq r0, 1, LC02 ;
  LC01: ld.relaxed.gpu r1, y ;
  beq r1, 0, LC01 ;
  LC02: add r2, r2, 1 ;
  bne r2, 3, LC00 ;
  st.relaxed.gpu x, r2 ;)";

}  // namespace

TEST_CASE("loops are nested components, each with its head first") {
  const LitmusTest test = with_thread(nested);
  const auto& code = test.program.threads[0].code;
  REQUIRE(code.size() == 10);
  const ControlFlowGraph flow(code);
  CHECK(flow.enclosing_heads(0) == std::vector<Target>{0});
  CHECK(flow.enclosing_heads(2) == std::vector<Target>{0});
  CHECK(flow.enclosing_heads(3) == std::vector<Target>{0, 3});
  CHECK(flow.enclosing_heads(5) == std::vector<Target>{0, 3});
  CHECK(flow.enclosing_heads(8) == std::vector<Target>{0});
  CHECK(flow.enclosing_heads(9).empty());
  CHECK(flow.enclosing_heads(10).empty());
}

TEST_CASE("only edges to the head of an enclosing component lead back") {
  const LitmusTest test = with_thread(nested);
  const auto& code = test.program.threads[0].code;
  const ControlFlowGraph flow(code);
  std::vector<std::pair<Target, Target>> back;
  for (Target node = 0; node < code.size(); ++node)
    for (const Target next : flow.successors(node))
      if (flow.is_back_edge(node, next))
        back.emplace_back(node, next);
      else
        CHECK(flow.position(node) < flow.position(next));
  CHECK(back == std::vector<std::pair<Target, Target>>{{5, 3}, {8, 0}});
}

TEST_CASE("code of any length is put in order; loops nest to a depth") {
  const LitmusTest test = with_thread("add r0, r0, 1 ;");
  const std::vector straight(200'000, test.program.threads[0].code.front());
  CHECK(ControlFlowGraph(straight).position(200'000) == 200'000);

  const auto loops = [](int depth) {
    std::string code;
    for (int i = 0; i < depth; ++i) code += fmt::format("L{}: add r0, r0, 1 ;\n", i);
    for (int i = depth; i-- > 0;) code += fmt::format("bne r0, 9, L{} ;\n", i);
    return with_thread(code);
  };
  const LitmusTest deep = loops(256), too_deep = loops(257);
  CHECK(ControlFlowGraph(deep.program.threads[0].code).enclosing_heads(255).size() == 256);
  CHECK_THROWS_AS(ControlFlowGraph(too_deep.program.threads[0].code), Unsupported);
}

TEST_CASE("against the order, what follows a node comes before it") {
  const LitmusTest test = with_thread(nested);
  const ControlFlowGraph flow(test.program.threads[0].code);
  REQUIRE(flow.backwards().size() == 11);
  for (std::size_t i = 0; i < 11; ++i) CHECK(flow.position(flow.backwards()[i]) == 10 - i);
}

// A loop that takes a semaphore: where no permit is seen it looks again, and cannot be left before.
TEST_CASE("what keeps a loop from where it is left decides how long it goes on, as what leaves it") {
  const LitmusTest test = with_thread(R"(
    LC00: bne r0, 0, LC01 ;
    ld.relaxed.gpu r0, x ;
    bra LC00 ;
    LC01: bne r3, 0, LC02 ;
    add r3, r3, 1 ;
    LC02: atom.relaxed.gpu.cas r1, x, r0, 7 ;
    bne r0, r1, LC00 ;
    st.relaxed.gpu x, 1 ;)");
  const ControlFlowGraph flow(test.program.threads[0].code);
  CHECK(flow.decides_about(1, 0));
  CHECK_FALSE(flow.decides_about(5, 0));  // both ways come to the cas
  CHECK(flow.decides_about(9, 0));
}

TEST_CASE("an instruction that may end its thread decides about all loops around it") {
  const LitmusTest test = with_thread(R"(
    LC00: ld.relaxed.gpu r0, x ;
    setp.eq.s32 p0, r0, 1 ;
    @p0 exit ;
    bra LC00 ;)");
  const ControlFlowGraph flow(test.program.threads[0].code);
  CHECK(flow.decides_about(2, 0));
  CHECK_FALSE(flow.decides_about(0, 0));
}
