// The values that accesses may read or write: none of all executions has another.
#include "solver/algebra/value_sets.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "solver/unfolding/unfold.hpp"
#include "tests/solver/all_executions.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

TEST_CASE("every value of every execution is among the possible ones") {
  int known = 0;
  for (const char* name : {"ptx-8.7", "sc"})
    for (const auto& program : small_programs(name)) {
      CAPTURE(program->text);
      const auto values = possible_values(program->structure);
      for (const Execution& execution : program->all.accepted_sources) {
        const auto ids = ids_in(program->structure, execution);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          const Event& event = execution.events[i];
          const ValueSet& possible = values[static_cast<std::size_t>(ids[i])];
          if (!event.is_memory_access() || !possible) continue;
          ++known;
          CHECK(std::ranges::any_of(*possible,
                                    [&](const Bits& value) { return identical(value, event.value); }));
        }
      }
    }
  CHECK(known > 1000);
}

TEST_CASE(
    "two accesses are whole to each other: in one thread, or both strong and each in the other's scope") {
  const auto are_whole = [](const std::string& first, const std::string& second,
                            const std::string& placement) {
    const LitmusTest test = parse_litmus("PTX t { x=0; } P0@cta 0,gpu 0 | P1@" + placement + " ;\n" + first +
                                             " | " + second + " ;\nexists (x == 1)",
                                         "t.litmus");
    TermGraph graph;
    const EventStructure structure = unfold(test.program, graph, {});
    REQUIRE(structure.events.size() == 3);
    CHECK(are_whole_to_each_other(structure, 1, 1));
    CHECK(are_whole_to_each_other(structure, 1, 2) == are_whole_to_each_other(structure, 2, 1));
    return are_whole_to_each_other(structure, 1, 2);
  };
  const std::string store = "st.relaxed.gpu x, 1", load = "ld.acquire.gpu r0, x";
  CHECK(are_whole(store, load, "cta 1,gpu 0"));
  CHECK_FALSE(are_whole(store, load, "cta 1,gpu 1"));
  CHECK_FALSE(are_whole(store, "ld.weak r0, x", "cta 1,gpu 0"));
  CHECK_FALSE(are_whole(store, "ld.relaxed.cta r0, x", "cta 1,gpu 0"));
  CHECK(are_whole(store, "ld.relaxed.cta r0, x", "cta 0,gpu 0"));
  CHECK(are_whole("st.relaxed.sys x, 1", "ld.relaxed.sys r0, x", "cta 1,gpu 1"));
}

TEST_CASE("the values that may flow: through copies, not through what computes") {
  TermGraph graph;
  const LitmusTest test =
      with_thread("ld.relaxed.gpu r0, x ; st.relaxed.gpu y, r0 ; ld.relaxed.gpu r1, y ;", "x=7; y=0;");
  const EventStructure structure = unfold(test.program, graph, {});
  const auto values = possible_values(structure);
  const auto numbers = [&](EventId event) {
    std::vector<std::uint64_t> result;
    REQUIRE(values[event]);
    for (const Bits& value : *values[event]) result.push_back(value.to_u64());
    std::sort(result.begin(), result.end());
    return result;
  };
  const auto last = static_cast<EventId>(structure.events.size()) - 1;
  CHECK(numbers(last - 2) == std::vector<std::uint64_t>{7});
  CHECK(numbers(last) == std::vector<std::uint64_t>{0, 7});
}

TEST_CASE("a chain of additions has as many sums as it has additions") {
  TermGraph graph;
  const LitmusTest test = parse_litmus(
      "PTX t { x=0; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 | P3@cta 0,gpu 0 ;\n"
      "red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1 | ld.relaxed.gpu r0, x "
      ";\n"
      "exists 0 == 0",
      "t.litmus");
  const EventStructure structure = unfold(test.program, graph, {});
  const auto values = possible_values(structure);
  REQUIRE(values.back());
  CHECK(values.back()->size() == 4);  // 0, 1, 2, 3: PTX ISA 8.7 § 8.10.4, no value comes from itself
}

// PTX ISA 8.7 § 8.10.3: weak accesses may be seen by bytes.
TEST_CASE("a read that may tear has the values of each byte") {
  TermGraph graph;
  const auto values_of_read = [&](const std::string& read) {
    const LitmusTest test =
        parse_litmus("PTX t { x=0; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\nst.relaxed.gpu x, 257 | " + read +
                         " ;\nexists 0 == 0",
                     "t.litmus");
    const EventStructure structure = unfold(test.program, graph, {});
    const auto values = possible_values(structure);
    REQUIRE(values.back());
    return values.back()->size();
  };
  CHECK(values_of_read("ld.relaxed.gpu r0, x") == 2);
  CHECK(values_of_read("ld.weak r0, x") == 4);  // 0, 1, 256, 257
}
