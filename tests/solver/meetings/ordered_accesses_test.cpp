// Values that follow from program order alone are those that reads have in every execution.
#include "solver/meetings/ordered_accesses.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "model/judge/judge.hpp"
#include "solver/unfolding/unfold.hpp"
#include "tests/solver/all_executions.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Programs in which some reads have one possible value.
const std::string own_places[] = {
    "PTX own { x=0; y=3; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\nst.weak x, 1 | ld.weak r0, y ;\n"
    "ld.weak r0, x | ld.weak r1, y ;\nadd r0, r0, 1 | ;\nst.weak x, r0 | ;\nld.relaxed.gpu r1, x | ;\nexists "
    "(x == 1)",
    "PTX shared { x=0; y=0; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\nst.weak x, 1 | st.weak x, 2 ;\n"
    "ld.weak r0, x | st.weak y, 1 ;\n | atom.relaxed.gpu.add r0, y, 1 ;\n | ld.weak r1, y ;\nexists (x == "
    "1)",
    "PTX one { x=0; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\nst.weak x, 1 | st.weak x, 1 ;\nld.weak r0, x | ;\n"
    "exists (x == 1)"};

bool has_race(const cat::Model& model, const AllExecutions& all) {
  const auto flag = std::ranges::find(model.flags, "data_race", &cat::Test::name) - model.flags.begin();
  return std::ranges::any_of(all.accepted, [&](const Execution& execution) -> bool {
    return judge_axioms_and_flags(model, execution).flags[static_cast<std::size_t>(flag)];
  });
}

/// Returns how many reads have a value that follows from the order.
int compare(const cat::Model& model, const SmallProgram& program, const AllExecutions& all) {
  const EventStructure& structure = program.structure;
  const BarrierOrder order(structure);
  const OrderedAccesses accesses(structure, order);
  if (!accesses.first_unordered()) CHECK_FALSE(has_race(model, all));
  int settled = 0;
  for (const Execution& execution : all.accepted) {
    const auto ids = ids_in(structure, execution);
    Substitution values;
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (const Event& open = structure.events[static_cast<std::size_t>(ids[i])]; open.is_read())
        values.set(open.value.term()->variable, execution.events[i].value);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!execution.events[i].is_read()) continue;
      if (execution.events[i].location.is_constant() &&
          structure.events[static_cast<std::size_t>(ids[i])].location.is_constant() &&
          values.apply(accesses.is_written_before(ids[i])).is_true())
        for (const ReadsFrom& from : execution.reads_from)
          if (from.read == static_cast<EventId>(i))
            CHECK(execution.events[static_cast<std::size_t>(from.write)].kind != EventKind::initial_write);
      for (const ReadsFrom& from : execution.reads_from)
        if (from.read == static_cast<EventId>(i))
          CHECK_FALSE(accesses.is_excluded_source(ids[static_cast<std::size_t>(from.write)], ids[i]));
      if (const auto only = accesses.only_value(ids[i])) {
        ++settled;
        CHECK(identical(*only, execution.events[i].value));
      }
      const auto before = accesses.writes_before(ids[i]);
      if (!before) continue;
      for (const EventId write : *before) CHECK(order.precedes(write, ids[i]));
      const auto value =
          accesses.value_after(*before, structure.events[static_cast<std::size_t>(ids[i])], values);
      if (!value || !value->is_constant()) continue;
      ++settled;
      CHECK(identical(*value, execution.events[i].value));
    }
  }
  return settled;
}

}  // namespace

TEST_CASE("a read whose writes are ordered has the value of the last one, in every execution") {
  const cat::Model model = cat::load("ptx-8.7");
  int settled = 0;
  for (const auto& program : small_programs("ptx-8.7")) {
    CAPTURE(program->text);
    settled += compare(model, *program, program->all);
  }
  for (const std::string& text : own_places) {
    CAPTURE(text);
    const SmallProgram program(text);
    const auto all = all_executions(program.structure, model);
    REQUIRE(all);
    CHECK(compare(model, program, *all) > 0);
  }
  CHECK(settled > 20);
}

TEST_CASE("the first unordered pair is a race, and morally strong accesses are none") {
  const auto first_race = [](const std::string& text) {
    const SmallProgram program(text);
    const BarrierOrder order(program.structure);
    return OrderedAccesses(program.structure, order).first_unordered();
  };
  const std::string header = "PTX t { x=0; y=0; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n";
  CHECK(first_race(header + "st.weak x, 1 | ld.weak r0, x ;\nexists (x == 1)"));
  CHECK(first_race(header + "st.relaxed.gpu x, 1 | ld.weak r0, x ;\nexists (x == 1)"));
  CHECK(first_race(header + "st.relaxed.cta x, 1 | st.relaxed.cta x, 2 ;\nexists (x == 1)"));
  CHECK_FALSE(first_race(header + "st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\nexists (x == 1)"));
  CHECK_FALSE(first_race(header + "st.weak x, 1 | ld.weak r0, y ;\nexists (x == 1)"));
  CHECK_FALSE(first_race(header + "ld.weak r0, x | ld.weak r0, x ;\nexists (x == 1)"));
  // One thread: program order is enough within a proxy, and not between two, nor between aliases.
  const std::string proxies =
      "PTX t { x=0; s @ surface aliases x; a @ generic aliases x; } P0@cta 0,gpu 0 ;\n";
  CHECK_FALSE(first_race(proxies + "st.weak x, 1 ;\nld.weak r0, x ;\nexists (x == 1)"));
  CHECK(first_race(proxies + "st.weak x, 1 ;\nsuld.weak r0, s ;\nexists (x == 1)"));
  CHECK(first_race(proxies + "st.weak x, 1 ;\nld.weak r0, a ;\nexists (x == 1)"));
}

TEST_CASE("all writes of a place, if there is one order") {
  const auto writes = [](const std::string& rows) -> std::optional<std::size_t> {
    const LitmusTest test = with_thread(rows);
    TermGraph graph;
    const EventStructure structure = unfold(test.program, graph, {});
    const BarrierOrder order(structure);
    const std::uint64_t x = test.program.memory[0].location;
    const auto all = OrderedAccesses(structure, order).all_writes(x, 8);
    if (all) CHECK(std::ranges::is_sorted(*all));
    return all ? std::optional(all->size()) : std::nullopt;
  };
  CHECK(writes("st.weak x, 1 ; st.weak y, 1 ; st.weak x, 2 ;") == 2);
  CHECK(writes("st.weak y, 1 ;") == 0);
}
