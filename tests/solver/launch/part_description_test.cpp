#include "solver/launch/part_description.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/cat/embedded_models.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// Two threads, of which the second waits for the first and reads `x`; and the same two threads again with
/// other names. `waits` is in the last thread.
std::string two_alike_pairs(const std::string& waits = "ld.acquire.gpu r0, g") {
  return "{ x=0; y=0; f=0; g=0; }\n"
         " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n"
         " st.weak x, 1 | ld.acquire.gpu r0, f | st.weak y, 1 | " +
         waits +
         " ;\n st.release.gpu f, 1 | bne r0, 1, End | st.release.gpu g, 1 | bne r0, 1, End ;\n"
         "  | atom.relaxed.gpu.add r1, x, r0 |  | atom.relaxed.gpu.add r1, y, r0 ;\n"
         "  | End: |  | End: ;\nexists (x == 0)";
}

/// The events of some threads of a test, as launches have them.
struct Part {
  explicit Part(const std::string& text) : test(launch_of(text)) {}

  /// With the initial writes of these variables.
  SettledCandidates of(const std::vector<int>& threads, const std::vector<std::size_t>& variables) {
    const EventStructure all = events_of(test, graph);
    SettledCandidates result;
    result.structure.program = &test.program;
    result.structure.endings.resize(all.endings.size());
    for (const int thread : threads) result.structure.endings[index(thread)] = all.endings[index(thread)];
    EventId first = -1;  // the first event of the threads; those before are initial writes
    for (EventId id = 0; id < static_cast<EventId>(all.events.size()); ++id) {
      Event event = all.events[index(id)];
      const bool is_of_thread = std::ranges::find(threads, event.thread) != threads.end();
      const bool is_initial =
          event.thread == Event::no_thread && std::ranges::any_of(variables, [&](std::size_t variable) {
            return test.program.memory[variable].location == event.location.to_u64();
          });
      if (!is_of_thread && !is_initial) continue;
      if (is_of_thread && first < 0) first = id - static_cast<EventId>(result.structure.events.size());
      if (event.rmw >= 0) event.rmw -= first;
      for (auto* reads : {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies})
        for (EventId& read : *reads) read -= first;
      result.structure.events.push_back(std::move(event));
    }
    const std::size_t events = result.structure.events.size();
    result.phases.meet = SymbolicRelation(events);
    result.phases.complete.assign(events, Bits::boolean(false));
    return result;
  }

  TermGraph graph;
  LitmusTest test;
};

/// A change of a part; `what` names it.
struct Change {
  std::string what;
  std::function<void(Part&, SettledCandidates&)> make;
};

const std::vector<int> first_pair = {0, 1}, second_pair = {2, 3};
const std::vector<std::size_t> x_and_f = {0, 2}, y_and_g = {1, 3};

MemoryClaim is_two(TermGraph& graph, const Variable& variable) {
  const Bits content = graph.variable(8 * variable.element_size, "content");
  return {equal(content, Bits(content.width(), 2)), {{content, variable.location, variable.element_size}}};
}

}  // namespace

TEST_CASE("threads that differ in names have one description") {
  Part test(two_alike_pairs());
  const auto first = describe_part(test.of(first_pair, x_and_f), first_pair, {});
  REQUIRE(first);
  CHECK(first == describe_part(test.of(second_pair, y_and_g), second_pair, {}));
  CHECK(first != describe_part(test.of({1, 2}, {0, 1, 2, 3}), std::vector{1, 2}, {}));
  CHECK(first != describe_part(test.of(second_pair, {1}), second_pair, {}));
}

TEST_CASE("claims of final memory are described by the pieces that they speak of") {
  Part test(two_alike_pairs());
  const auto& memory = test.test.program.memory;
  const auto of = [&](const std::vector<int>& threads, const std::vector<std::size_t>& variables,
                      std::size_t claimed) {
    return describe_part(test.of(threads, variables), threads, is_two(test.graph, memory[claimed]));
  };
  const auto of_x = of(first_pair, x_and_f, 0);
  REQUIRE(of_x);
  CHECK(of_x == of(second_pair, y_and_g, 1));
  CHECK(of_x != of(first_pair, x_and_f, 2));
  CHECK(of_x != describe_part(test.of(first_pair, x_and_f), first_pair, {}));
}

TEST_CASE("threads that do different things have different descriptions") {
  for (const char* waits : {"ld.relaxed.gpu r0, g", "ld.acquire.sys r0, g", "ld.acquire.gpu r0, y"}) {
    Part test(two_alike_pairs(waits));
    CHECK(describe_part(test.of(first_pair, x_and_f), first_pair, {}) !=
          describe_part(test.of(second_pair, y_and_g), second_pair, {}));
  }
}

TEST_CASE("whatever differs in a part is in its description") {
  const std::vector<Change> changes = {
      {"condition", [](Part& p, auto& c) { c.structure.events.back().condition = p.graph.variable(1, "c"); }},
      {"step", [](Part&, auto& c) { c.structure.events.back().step += 1; }},
      {"thread", [](Part&, auto& c) { c.structure.events.back().thread = first_pair[0]; }},
      {"value", [](Part&, auto& c) { c.structure.events.back().value = Bits(64, 7); }},
      {"value of the initial write", [](Part&, auto& c) { c.structure.events.front().value = Bits(64, 7); }},
      {"kind", [](Part&, auto& c) { c.structure.events.back().kind = EventKind::read; }},
      {"order", [](Part&, auto& c) { c.structure.events.back().access.sem = Sem::release; }},
      {"scope", [](Part&, auto& c) { c.structure.events.back().access.scope = Scope::cta; }},
      {"proxy", [](Part&, auto& c) { c.structure.events.back().access.proxy = Proxy::async; }},
      {"space", [](Part&, auto& c) { c.structure.events.back().access.space = StateSpace::shared_cta; }},
      {"volatile", [](Part&, auto& c) { c.structure.events.back().access.is_volatile = true; }},
      {"reduction", [](Part&, auto& c) { c.structure.events.back().access.is_reduction = true; }},
      {"location",
       [](Part& p, auto& c) {
         c.structure.events.back().location = Bits(64, p.test.program.memory[2].location);
       }},
      {"address",
       [](Part& p, auto& c) {
         c.structure.events.back().address = Bits(64, p.test.program.memory[2].address);
       }},
      {"read-modify-write", [](Part&, auto& c) { c.structure.events.back().rmw = -1; }},
      {"combination", [](Part&, auto& c) { c.structure.events.back().combines = Combination::bit_or; }},
      {"dependency", [](Part&, auto& c) { c.structure.events.back().data_dependencies = {3}; }},
      {"goes on", [](Part&, auto& c) { c.structure.events.back().goes_on = Bits::boolean(true); }},
      {"instruction",
       [](Part&, auto& c) {
         static Instruction other = *c.structure.events.back().instruction;
         other.where.line += 1;
         c.structure.events.back().instruction = &other;
       }},
      {"ending", [](Part&, auto& c) { c.structure.endings[1].front().kind = Ending::Kind::trapped; }},
      {"condition of an ending",
       [](Part& p, auto& c) { c.structure.endings[0].front().condition = p.graph.variable(1, "c"); }},
      {"message", [](Part&, auto& c) { c.structure.endings[0].front().message = "lost"; }},
      {"violation",
       [](Part&, auto& c) {
         c.structure.violations.push_back(
             {.thread = 1, .condition = Bits::boolean(true), .where = {}, .message = {}});
       }},
      {"complete phases", [](Part&, auto& c) { c.phases.complete.back() = Bits::boolean(true); }},
      {"constraints", [](Part& p, auto& c) { c.phases.constraints = {p.graph.variable(1, "c")}; }},
      {"meetings",
       [](Part&, auto& c) {
         c.phases.meet.rows.back().push_back({2, Bits::boolean(true)});
       }},
      {"order of arrivals", [](Part&, auto& c) { c.phases.is_in_order = true; }},
      {"assumption", [](Part& p, auto& c) { c.assumption = p.graph.variable(1, "c"); }},
      {"CTA", [](Part& p, auto&) { p.test.program.threads[1].placement.cta = 0; }},
      {"warp", [](Part& p, auto&) { p.test.program.threads[1].placement.warp = 0; }},
      {"GPU", [](Part& p, auto&) { p.test.program.threads[1].placement.gpu = 7; }},
      {"cluster",
       [](Part& p, auto&) {
         p.test.program.threads[1].placement.cluster = p.test.program.threads[0].placement.cluster;
       }},
      {"grid", [](Part& p, auto&) { p.test.program.threads[1].placement.grid = 7; }},
      {"unknown content", [](Part& p, auto&) { p.test.program.memory[0].initial[0] = {}; }},
      {"space of a variable",
       [](Part& p, auto&) { p.test.program.memory[0].space = StateSpace::shared_cta; }},
  };
  for (const Change& change : changes) {
    CAPTURE(change.what);
    Part test(two_alike_pairs());
    SettledCandidates part = test.of(first_pair, x_and_f);
    const auto before = describe_part(part, first_pair, {});
    REQUIRE(before);
    change.make(test, part);
    CHECK(before != describe_part(part, first_pair, {}));
  }
}

TEST_CASE("what cannot be described has no description") {
  const std::vector<Change> changes = {
      {"a location that is not known",
       [](Part& p, auto& c) { c.structure.events.back().location = p.graph.variable(64, "a"); }},
      {"an access to a part of another one",
       [](Part&, auto& c) {
         c.structure.events.back().location = c.structure.events.back().location + Bits(64, 2);
       }},
      {"another size at one location", [](Part&, auto& c) { c.structure.events.back().size = 2; }},
      {"an asynchronous operation", [](Part&, auto& c) { c.structure.events.back().strand = 1; }},
      {"an mbarrier",
       [](Part&, auto& c) { c.structure.events.back().access.mbarrier = MbarrierAccess::operation; }},
      {"a misused phase",
       [](Part&, auto& c) {
         c.phases.misused.push_back({3, 4, Bits::boolean(true)});
       }},
      {"a use that is undefined", [](Part&, auto& c) { c.structure.endings[0].front().use.emplace(); }},
      {"a dependent grid", [](Part& p, auto&) { p.test.program.threads[1].placement.prerequisite = 0; }},
  };
  for (const Change& change : changes) {
    CAPTURE(change.what);
    Part test(two_alike_pairs());
    SettledCandidates part = test.of(first_pair, x_and_f);
    change.make(test, part);
    CHECK_FALSE(describe_part(part, first_pair, {}));
  }
}
