#include "solver/unfolding/unfold.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "solver/limits/event_limit.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;

namespace {

/// The events of the thread that may happen, without the initial writes.
std::vector<Event> events_of(const EventStructure& structure) {
  std::vector<Event> result;
  for (const Event& event : structure.events)
    if (event.thread == 0 && !event.condition.is_false()) result.push_back(event);
  return result;
}

std::size_t count(const EventStructure& structure, Ending::Kind kind) {
  const auto& endings = structure.endings[0];
  return static_cast<std::size_t>(
      std::count_if(endings.begin(), endings.end(), [&](const Ending& e) { return e.kind == kind; }));
}

/// The dependencies as places among the thread's events.
std::vector<EventId> own(const EventStructure& structure, const std::vector<EventId>& reads) {
  EventId first = 0;
  while (structure.events[first].thread != 0) ++first;
  std::vector<EventId> result;
  for (const EventId read : reads) result.push_back(read - first);
  return result;
}

}  // namespace

TEST_CASE("an atom is a read and a write that depends on it; a failed cas has a write under a condition") {
  TermGraph graph;
  const LitmusTest test = with_thread("atom.relaxed.gpu.exch r0, x, 1 ; atom.relaxed.gpu.cas r1, y, 0, 2 ;");
  const EventStructure structure = unfold(test.program, graph, {});
  const auto events = events_of(structure);
  REQUIRE(events.size() == 4);
  CHECK(events[0].is_read());
  CHECK(events[1].is_write());
  CHECK(events[0].step == events[1].step);
  CHECK(own(structure, events[1].data_dependencies) == std::vector<EventId>{0});
  CHECK(events[1].condition.is_true());
  CHECK_FALSE(events[3].condition.is_constant());
  CHECK(own(structure, events[3].control_dependencies) == std::vector<EventId>{2});
}

TEST_CASE("dependencies are syntactic: through registers, also where the value does not depend") {
  TermGraph graph;
  const LitmusTest test = with_thread(R"(
    ld.relaxed.gpu r0, x ;
    sub r1, r0, r0 ;
    st.relaxed.gpu y, r1 ;)");
  const EventStructure structure = unfold(test.program, graph, {});
  const auto events = events_of(structure);
  REQUIRE(events.size() == 2);
  CHECK(events[1].value.is_constant());
  CHECK(own(structure, events[1].data_dependencies) == std::vector<EventId>{0});
  CHECK(events[1].control_dependencies.empty());
}

TEST_CASE("what follows a branch depends on it also behind the place where its paths meet again") {
  TermGraph graph;
  const LitmusTest test = with_thread(R"(
    ld.relaxed.gpu r0, x ;
    beq r0, 0, LC00 ;
    st.relaxed.gpu y, 1 ;
    LC00: st.relaxed.gpu y, 2 ;)");
  const EventStructure structure = unfold(test.program, graph, {});
  const auto events = events_of(structure);
  REQUIRE(events.size() == 3);
  CHECK_FALSE(events[1].condition.is_constant());
  CHECK(events[2].condition.is_true());
  CHECK(own(structure, events[2].control_dependencies) == std::vector<EventId>{0});
}

TEST_CASE("an iteration that only reads ends its thread as spinning, at every bound") {
  const LitmusTest test = with_thread("LC00: ld.relaxed.gpu r0, x ; beq r0, 0, LC00 ; st.relaxed.gpu y, 1 ;");
  for (const unsigned bound : {0u, 1u, 5u}) {
    TermGraph graph;
    const EventStructure structure =
        unfold(test.program, graph, {.bound = bound, .started = {}, .observed = {}});
    CHECK(count(structure, Ending::Kind::spinning) == 1);
    CHECK(count(structure, Ending::Kind::bound_reached) == 0);
    CHECK(events_of(structure).size() == 2);
  }
}

// Nothing tests for the end in an iteration that looks again; what it has read decides all the same.
TEST_CASE("an iteration that cannot be left because of what was read counts towards the bound") {
  const LitmusTest test = with_thread(R"(
    LC00: bne r0, 0, LC01 ;
    ld.relaxed.gpu r0, x ;
    st.relaxed.gpu y, r0 ;
    bra LC00 ;
    LC01: atom.relaxed.gpu.cas r1, x, r0, 7 ;
    bne r0, r1, LC00 ;)");
  TermGraph graph;
  const EventStructure structure = unfold(test.program, graph, {.bound = 3, .started = {}, .observed = {}});
  CHECK(count(structure, Ending::Kind::bound_reached) >= 1);
  CHECK(events_of(structure).size() <= 20);
}

// What two iterations together have not changed is as if they had not been.
TEST_CASE("iterations that come back to an earlier state end their thread as spinning") {
  const LitmusTest test = with_thread(R"(
    LC00: ld.relaxed.gpu r1, x ;
    add r0, r0, 1 ;
    and r0, r0, 1 ;
    beq r1, 0, LC00 ;
    st.relaxed.gpu y, r0 ;)");
  TermGraph graph;
  const EventStructure structure = unfold(test.program, graph, {.bound = 1, .started = {}, .observed = {}});
  CHECK(count(structure, Ending::Kind::bound_reached) == 0);
  REQUIRE(count(structure, Ending::Kind::spinning) == 1);
  const auto& endings = structure.endings[0];
  CHECK(std::ranges::find(endings, Ending::Kind::spinning, &Ending::kind)->first_step == 0);
  CHECK(events_of(structure).size() == 3);
}

TEST_CASE("an iteration that writes is repeated up to the bound") {
  const LitmusTest test = with_thread("LC00: atom.relaxed.gpu.add r0, x, 1 ; bne r0, 7, LC00 ;");
  for (const unsigned bound : {0u, 1u, 3u}) {
    TermGraph graph;
    const EventStructure structure =
        unfold(test.program, graph, {.bound = bound, .started = {}, .observed = {}});
    CHECK(count(structure, Ending::Kind::bound_reached) == 1);
    CHECK(events_of(structure).size() == 2 * (bound + 1));
  }
}

TEST_CASE("a loop whose trip count does not depend on reads is followed to its end") {
  TermGraph graph;
  const LitmusTest test = with_thread("LC00: st.relaxed.gpu x, r0 ; add r0, r0, 1 ; bne r0, 20, LC00 ;");
  const EventStructure structure = unfold(test.program, graph, {.bound = 1, .started = {}, .observed = {}});
  CHECK(events_of(structure).size() == 20);
  CHECK(count(structure, Ending::Kind::completed) == 1);
  CHECK(count(structure, Ending::Kind::bound_reached) == 0);
}

TEST_CASE("an address outside all variables ends the thread, one inside does not") {
  TermGraph graph;
  const LitmusTest test =
      with_thread("ld.relaxed.gpu r0, y ; st.relaxed.gpu.u32 [a+4], 1 ;", "y=0; a : u32[2];");
  CHECK(count(unfold(test.program, graph, {}), Ending::Kind::stray_access) == 0);
  const LitmusTest beyond = with_thread(
      "ld.relaxed.gpu r0, y ; st.relaxed.gpu.u32 [a+8], 1 ; st.relaxed.gpu y, 1 ;", "y=0; a : u32[2];");
  const EventStructure structure = unfold(beyond.program, graph, {});
  CHECK(count(structure, Ending::Kind::stray_access) == 1);
  CHECK(count(structure, Ending::Kind::completed) == 0);
  CHECK(events_of(structure).size() == 1);
}

TEST_CASE("more events than the limit are refused by name") {
  TermGraph graph;
  const LitmusTest test = with_thread("LC00: st.relaxed.gpu x, r0 ; add r0, r0, 1 ; bne r0, 20, LC00 ;");
  CHECK_THROWS_WITH_AS(unfold(test.program, graph, {.max_events = 10, .started = {}, .observed = {}}),
                       "events: 10", TooManyEvents);
}
