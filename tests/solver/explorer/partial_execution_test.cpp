// A partial execution, led towards each execution of small programs and away from it again.
#include "solver/explorer/partial_execution.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "solver/unfolding/unfold.hpp"
#include "tests/solver/explorer/guided_execution.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

using State = PartialExecution::State;

/// What is known of an execution, as far as steps that are taken back must restore it.
struct Known {
  std::vector<State> states;
  std::vector<bool> values, open, unsourced;
  std::vector<EventId> sources;
  BitMatrix rf;
  std::size_t source_count;
  std::vector<std::optional<Ending::Kind>> endings;
  bool completed, cut_off, all;

  explicit Known(const PartialExecution& execution, const EventStructure& structure)
      : rf(execution.model.inputs.rf),
        source_count(execution.model.inputs.sources.size()),
        completed(execution.all_completed()),
        cut_off(execution.is_cut_off()),
        all(execution.is_all_known()) {
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
      states.push_back(execution.state(id));
      values.push_back(execution.values().find(structure.events[static_cast<std::size_t>(id)].value) !=
                       nullptr);
      open.push_back(execution.open_events().contains(static_cast<std::size_t>(id)));
    }
    for (std::size_t part = 0; part < execution.parts().size(); ++part) {
      unsourced.push_back(execution.unsourced().contains(part));
      sources.push_back(execution.parts()[part].source);
    }
    for (std::size_t thread = 0; thread < structure.endings.size(); ++thread)
      endings.push_back(execution.ending(thread));
  }
  friend bool operator==(const Known&, const Known&) = default;
};

/// A part and a source that some execution might choose next.
void take_detour(GuidedExecution& guided, std::mt19937& random) {
  PartialExecution& execution = guided.execution;
  for (int steps = 1 + static_cast<int>(random() % 2); steps > 0; --steps) {
    const auto open = guided.open_parts();
    if (open.empty()) return;
    const std::size_t part = open[random() % open.size()];
    std::vector<EventId> writes;
    for (EventId id = 0; id < static_cast<EventId>(execution.events().size()); ++id)
      if (execution.writers(execution.parts()[part].atom).contains(static_cast<std::size_t>(id)) &&
          execution.parts()[part].candidates.contains(static_cast<std::size_t>(id)))
        writes.push_back(id);
    if (writes.empty()) return;
    execution.choose_source(part, writes[random() % writes.size()]);
    if (!execution.settle()) return;
  }
}

}  // namespace

TEST_CASE("the sources of an execution lead to its events and values, in whatever order they are chosen") {
  std::mt19937 random(7);
  for_each_execution({"ptx-8.7", "sc"}, [&](const cat::Model& model, const EnumeratedProgram& program,
                                            const Execution& known) {
    GuidedExecution guided(program.structure, model, known);
    PartialExecution& execution = guided.execution;
    const Known before(execution, program.structure);
    const std::size_t start = execution.mark();
    REQUIRE(execution.settle());
    REQUIRE(execution.model.may_become_consistent());
    for (auto ready = guided.ready_parts(); !ready.empty(); ready = guided.ready_parts()) {
      for (int detours = 3; detours > 0; --detours) {
        const Known here(execution, program.structure);
        const std::size_t mark = execution.mark();
        take_detour(guided, random);
        execution.undo_to(mark);
        REQUIRE(Known(execution, program.structure) == here);
      }
      const std::size_t part = ready[random() % ready.size()];
      execution.choose_source(part, guided.source(part));
      REQUIRE(execution.settle());
      REQUIRE(execution.model.may_become_consistent());
      for (EventId id = 0; id < static_cast<EventId>(execution.events().size()); ++id)
        if (execution.state(id) != State::open)
          CHECK((execution.state(id) == State::present) == guided.happens(id));
    }
    CHECK(guided.open_parts().empty());
    CHECK_FALSE(execution.is_open());
    CHECK(execution.is_all_known());
    CHECK(execution.all_completed());
    CHECK_FALSE(execution.is_cut_off());
    const Execution found = execution.execution();
    CHECK(key_of_sources(found) == key_of_sources(known));
    REQUIRE(found.events.size() == known.events.size());
    for (std::size_t i = 0; i < found.events.size(); ++i)
      if (found.events[i].is_memory_access()) CHECK(identical(found.events[i].value, known.events[i].value));
    for (std::size_t thread = 0; thread < found.final_registers.size(); ++thread)
      CHECK(std::ranges::equal(found.final_registers[thread], known.final_registers[thread],
                               [](const Bits& a, const Bits& b) { return identical(a, b); }));
    execution.undo_to(start);
    CHECK(Known(execution, program.structure) == before);
  });
}

TEST_CASE("the consequences of a source: what the thread does with the value") {
  // With 0 the swap writes; with 2 the thread waits for ever in its loop.
  const LitmusTest test = parse_litmus(
      "PTX t { x=0; y=0; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      "atom.relaxed.gpu.cas r0, x, 0, 1 | st.relaxed.gpu x, 2 ;\n"
      "L: ld.relaxed.gpu r1, y | st.relaxed.gpu y, 2 ;\n"
      "beq r1, 2, L | ;\nexists (x == 1)",
      "t.litmus");
  const cat::Model model = cat::load("ptx-8.7");
  TermGraph graph;
  const EventStructure structure = unfold(test.program, graph, {});
  PartialExecution execution(structure, model, {});
  REQUIRE(execution.settle());
  int swaps = 0, loads = 0;
  for (std::size_t part = 0; part < execution.parts().size(); ++part) {
    const PartialExecution::Part& read = execution.parts()[part];
    if (!read.is_active) continue;
    const bool is_swap = structure.events[static_cast<std::size_t>(read.read)].rmw >= 0;
    ++(is_swap ? swaps : loads);
    CHECK(execution.decides(part));
    for (EventId write = 0; write < static_cast<EventId>(structure.events.size()); ++write) {
      if (!read.candidates.contains(static_cast<std::size_t>(write))) continue;
      const Bits* written = execution.value_written(write);
      REQUIRE(written);
      const auto consequence = execution.consequence(part, write, false);
      CHECK(consequence.is_certain);
      CHECK(consequence.is_update == (is_swap && written->to_u64() == 0));
      CHECK(consequence.is_dead_end == (!is_swap && written->to_u64() == 2));
    }
  }
  CHECK(swaps == 1);
  CHECK(loads == 1);
}

TEST_CASE("memory of unknown content is refused") {
  const LitmusTest test = with_thread("discard.global.L2 [a], 128 ;", "a : u32[32];");
  TermGraph graph;
  CHECK_THROWS_AS(check_contents(unfold(test.program, graph, {})), Unsupported);
  const LitmusTest plain = with_thread("ld.weak.u32 r0, [a] ;", "a : u32[32];");
  TermGraph other;
  CHECK_NOTHROW(check_contents(unfold(plain.program, other, {})));
}
