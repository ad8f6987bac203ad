// Executions that are read from a solver's assignment, and what becomes of wrong ones.
#include "solver/encoding/witness.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "solver/unfolding/unfold.hpp"
#include "tests/solver/all_executions.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// The structure of a program with one unknown read, and the value of this read.
Witness happened_with(const LitmusTest& test, EventStructure& structure, TermGraph& graph,
                      std::uint64_t value) {
  structure = unfold(test.program, graph, {});
  Substitution values;
  for (const Event& event : structure.events)
    if (event.is_read()) values.set(event.value.term()->variable, Bits(event.value.width(), value));
  return happened(structure, std::move(values));
}

}  // namespace

TEST_CASE("what happens with a value: events, numbers, halves of read-modify-writes, registers, endings") {
  const LitmusTest test =
      with_thread("atom.relaxed.gpu.cas r0, x, 0, 1 ; bne r0, 0, L ; st.weak y, r0 ; add r1, r0, 5 ; L: ;");
  for (const std::uint64_t value : {0, 7}) {
    CAPTURE(value);
    TermGraph graph;
    EventStructure structure;
    const Witness witness = happened_with(test, structure, graph, value);
    const Execution& execution = witness.execution;
    // Initial writes of x and y, the read of cas, and with 0 its write and the store behind the branch.
    CHECK(structure.events.size() == 5);
    REQUIRE(execution.events.size() == (value == 0 ? 5 : 3));
    CHECK(witness.numbers ==
          (value == 0 ? std::vector<EventId>{0, 1, 2, 3, 4} : std::vector<EventId>{0, 1, 2, -1, -1}));
    CHECK(execution.events[2].rmw == (value == 0 ? 3 : Event::not_written));
    for (const Event& event : execution.events) CHECK(event.condition.is_true());
    if (value == 0) {
      CHECK(execution.events[3].value.to_u64() == 1);
      CHECK(execution.events[4].control_dependencies == std::vector<EventId>{2});
      CHECK(execution.events[4].data_dependencies == std::vector<EventId>{2});
    }
    const auto& names = test.program.threads[0].register_names;
    const auto last = [&](const std::string& name) {
      const auto place = std::ranges::find(names, name) - names.begin();
      return execution.final_registers[0][static_cast<std::size_t>(place)].to_u64();
    };
    CHECK(last("r0") == value);
    CHECK(last("r1") == (value == 0 ? 5 : 0));
    CHECK(execution.endings.at(0) == Ending::Kind::completed);
  }
}

TEST_CASE("an execution with another source or another order than it may have is a fault of the program") {
  const cat::Model model = cat::load("ptx-8.7");
  int refused = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    const AllExecutions& all = program->all;
    std::set<std::string> accepted;
    for (const Execution& execution : all.accepted) accepted.insert(key_of(execution));
    for (Execution execution : all.accepted) {
      CHECK_NOTHROW(check_accepted(model, execution));
      CHECK_NOTHROW(check_witness(model, execution));
      CHECK(execution.relations.contains("co"));
      for (auto& [name, pairs] : execution.choices)
        for (auto& [a, b] : pairs) {
          std::swap(a, b);
          const bool may_be = accepted.contains(key_of(execution));
          if (may_be)
            CHECK_NOTHROW(check_accepted(model, execution));
          else
            CHECK_THROWS_AS(check_accepted(model, execution), std::logic_error);
          refused += may_be ? 0 : 1;
          std::swap(a, b);
        }
      if (execution.reads_from.empty()) continue;
      execution.reads_from.pop_back();
      CHECK_THROWS_AS(check_witness(model, execution), std::logic_error);
    }
  }
  CHECK(refused > 10);
}
