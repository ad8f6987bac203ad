#include "solver/launch/interleavings.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "model/cat/embedded_models.hpp"
#include "solver/launch/examined_interleavings.hpp"
#include "tests/solver/launch_columns.hpp"

using namespace ptxmc;

namespace {

/// Under the only way to pass the barriers.
std::optional<Interleaving> interleaving(const LitmusTest& test, TermGraph& graph, Turn turn) {
  const EventStructure structure = events_of(test, graph);
  const auto schedules = barrier_schedules(structure);
  REQUIRE(schedules.has_value());
  REQUIRE(schedules->size() == 1);
  return interleaving_in_turns(under_schedule(structure, schedules->front()), schedules->front(), {}, {},
                               turn);
}

std::uint64_t final_value(const LitmusTest& test, const Interleaving& found, const std::string& name) {
  for (std::size_t i = 0; i < test.program.memory.size(); ++i)
    if (test.program.memory[i].name == name) return found.final_memory[i][0].to_u64();
  FAIL("no such variable");
  return 0;
}

/// So many threads of a CTA, each a warp, with this column.
LitmusTest copies(unsigned threads, const std::vector<std::string>& rows) {
  std::string text = "{ x=0; }\n";
  for (unsigned i = 0; i < threads; ++i) text += fmt::format("{} P{}@cta 0,gpu 0", i == 0 ? "" : "|", i);
  text += " ;\n";
  for (const std::string& row : rows) {
    for (unsigned i = 0; i < threads; ++i) text += (i == 0 ? " " : "| ") + row + " ";
    text += ";\n";
  }
  return launch_of(text + "forall (x == 0)\n");
}

}  // namespace

TEST_CASE("threads that take turns lose updates; one after the other they do not") {
  const LitmusTest test = copies(3, {"ld.weak r0, x", "add r0, r0, 1", "st.weak x, r0"});
  for (const auto& [turn, value] : {std::pair(Turn::access, 1), std::pair(Turn::all, 3)}) {
    TermGraph graph;
    const auto found = interleaving(test, graph, turn);
    REQUIRE(found.has_value());
    CHECK(found->has_ended);
    CHECK(final_value(test, *found, "x") == static_cast<std::uint64_t>(value));
  }
}

TEST_CASE("the halves of a read-modify-write are one access") {
  const LitmusTest test = copies(5, {"atom.relaxed.cta.add r0, x, 2"});
  for (const Turn turn : {Turn::access, Turn::all}) {
    TermGraph graph;
    CHECK(final_value(test, interleaving(test, graph, turn).value(), "x") == 10);
  }
}

TEST_CASE("threads wait at barriers for each other") {
  // The second thread reads what the first one writes before the barrier, in every order of the threads.
  const LitmusTest test = launch_of(
      "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n | st.weak x, 7 ;\n bar.cta.sync 0 | bar.cta.sync "
      "0 ;\n"
      " ld.weak r0, x | ;\n st.weak y, r0 | ;\nforall (y == 7)\n");
  for (const Turn turn : {Turn::access, Turn::all}) {
    TermGraph graph;
    CHECK(final_value(test, interleaving(test, graph, turn).value(), "y") == 7);
  }
}

TEST_CASE("none is known where a thread wants more iterations than the bound") {
  const LitmusTest test = launch_of(
      "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n L: ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n"
      " add r1, r1, 1 | ;\n setp.ne.s32 p0, r0, 1 | ;\n @p0 bra L | ;\n st.weak y, r1 | ;\nforall (x == "
      "1)\n");
  TermGraph graph;
  CHECK_FALSE(interleaving(test, graph, Turn::all).has_value());  // the other thread has not begun
}

TEST_CASE("a thread that waits in vain is left where it waits") {
  const LitmusTest test = launch_of(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n L: ld.relaxed.gpu r0, x | st.relaxed.gpu x, 2 ;\n"
      " setp.ne.s32 p0, r0, 1 | ;\n @p0 bra L | ;\nforall (x == 2)\n");
  TermGraph graph;
  CHECK_FALSE(interleaving(test, graph, Turn::all).value().has_ended);
  CHECK(final_value(test, interleaving(test, graph, Turn::all).value(), "x") == 2);
}

TEST_CASE("a launch of many threads that race: the lost update and the race, without the solver") {
  const LitmusTest test = copies(96, {"ld.weak r0, x", "add r0, r0, 1", "st.weak x, r0"});
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  LaunchQuestion question = question_about(structure);
  question.final_condition = [](const ElementValue& value) {
    return equal(value(0, 0), Bits(value(0, 0).width(), 96));
  };
  const auto answer = check_launch_by_schedules(question, cat::load("ptx-8.7"), {}, graph);
  REQUIRE(answer.has_value());
  REQUIRE(answer->findings.size() >= 2);
  CHECK(answer->findings.front().property == LaunchProperty::assertion);
  CHECK(answer->findings.back().property == LaunchProperty::race);
  CHECK(answer->unknown.empty());
  for (const LaunchFinding& finding : answer->findings) {
    CHECK(finding.witness.events.size() > 96);
    CHECK(finding.witness.relations.contains("data_race"));
  }
}

TEST_CASE("what is left of elements that are written with others, or in parts") {
  const auto final_memory = [](const std::string& code) {
    const LitmusTest test =
        launch_of("{ x : u32[4]; }\n P0@cta 0,gpu 0 ;\n " + code + "\nforall (x[0] == 0)\n");
    TermGraph graph;
    std::vector<std::uint64_t> values;
    const Interleaving found = interleaving(test, graph, Turn::all).value();
    for (const Bits& value : found.final_memory.at(0)) values.push_back(value.to_u64());
    return values;
  };
  using Values = std::vector<std::uint64_t>;
  CHECK(final_memory("st.weak.u32 [x+12], 5 ;") == Values{0, 0, 0, 5});
  CHECK(final_memory("st.weak.u64 [x+8], 12884901890 ;") == Values{0, 0, 2, 3});
  CHECK(final_memory("st.weak.u16 [x+10], 5 ;") == Values{0, 0, 5 << 16, 0});
  CHECK(final_memory("st.weak.u16 [x+4], 5 ;\n ld.weak.u32 r0, [x+4] ;\n st.weak.u32 [x+8], r0 ;") ==
        Values{0, 5, 5, 0});
}

TEST_CASE("an interleaving of a launch with open inputs has inputs that the assumption allows") {
  LitmusTest test = copies(96, {"ld.weak r0, x", "add r0, r0, 1", "st.weak x, r0"});
  TermGraph graph;
  const unsigned width = 8 * test.program.memory[0].element_size;
  const Bits x = graph.variable(width, "x"), n = graph.variable(width, "n");
  test.program.memory[0].initial = {x};
  const EventStructure structure = events_of(test, graph);
  LaunchQuestion question = question_about(structure);
  question.inputs = {{"n", Type(), n}};
  question.assumption = less_unsigned(n, x) & equal(n, Bits(width, 7));
  const auto inputs = choose_inputs(question, {}, graph);
  REQUIRE(inputs.has_value());
  CHECK(inputs->at(n.term()->variable).to_u64() == 7);
  CHECK(inputs->at(x.term()->variable).to_u64() > 7);
  const auto answer = check_launch_by_schedules(question, cat::load("ptx-8.7"), {}, graph);
  REQUIRE(answer.has_value());
  REQUIRE_FALSE(answer->findings.empty());
  CHECK(answer->findings.back().property == LaunchProperty::race);
  CHECK(answer->findings.back().inputs.front().value.to_u64() == 7);
  question.assumption = less_unsigned(n, n);
  CHECK_FALSE(choose_inputs(question, {}, graph).has_value());
}

TEST_CASE("a thread that may go on before another one arrives does so in some interleaving") {
  // Phase 0 of b may end with both arrivals of the first thread. The second one then waits for ever.
  Columns columns(2);
  columns.add(0, "mbarrier.arrive.shared.b64 _, [b]").wait(0, "a", "0");
  columns.add(0, "mbarrier.arrive.shared.b64 _, [b]");
  columns.add(1, "mbarrier.arrive.shared.b64 _, [a]").add(1, "mbarrier.arrive.shared.b64 r1, [b]");
  columns.wait(1, "b", "r1", true);
  TermGraph graph;
  const LitmusTest test = columns.test(1, 2);
  const EventStructure structure = events_of(test, graph);
  const LaunchQuestion question = question_about(structure);
  const auto answer = check_launch_by_schedules(question, cat::load("ptx-8.7"), {}, graph);
  REQUIRE(answer.has_value());
  CHECK(has_finding(*answer, LaunchProperty::deadlock));
}

namespace {

/// The interleaving in which the first thread that can continue has the next turn.
std::optional<Interleaving> first_turns(const EventStructure& structure) {
  const auto waits = MbarrierWaits::find(structure);
  REQUIRE(waits.has_value());
  auto made = interleaving_of_waits(structure, *waits, {}, Turn::first);
  return made ? std::optional(std::move(made->second)) : std::nullopt;
}

/// What is found without the solver.
LaunchAnswer found_in_turns(const EventStructure& structure) {
  TermGraph graph;
  LaunchAnswer answer;
  find_in_turns(question_about(structure), cat::load("ptx-8.7"), {}, graph, answer);
  return answer;
}

}  // namespace

TEST_CASE("an execution ends with the poll of an object that another thread has invalidated") {
  // PTX ISA 8.7 § 9.7.13.15.10. The race of the last writes is behind the undefined use.
  constexpr unsigned threads = 40;
  Columns columns(threads);
  for (unsigned i = 0; i < threads; ++i)
    columns.add(i, "mbarrier.arrive.shared.b64 r1, [a]").wait(i, "a", "r1", true);
  columns.add(0, "mbarrier.inval.b64 [a]");
  for (unsigned i = 1; i < threads; ++i) columns.add(i, "st.weak x, 1");
  TermGraph graph;
  const LitmusTest test = columns.test(threads);
  const EventStructure structure = events_of(test, graph);
  const auto interleaving = first_turns(structure);
  REQUIRE(interleaving.has_value());
  CHECK(interleaving->is_undefined);
  const Execution& execution = interleaving->witness.execution;
  CHECK(std::ranges::any_of(execution.reads_from, [&](const ReadsFrom& source) {
    return execution.events[static_cast<std::size_t>(source.write)].access.mbarrier == MbarrierAccess::inval;
  }));
  const auto is_last_write = [](const Event& event) { return event.is_write() && event.size == 4; };
  CHECK(std::ranges::none_of(execution.events, is_last_write));
  const LaunchAnswer answer = found_in_turns(structure);
  CHECK(has_finding(answer, LaunchProperty::undefined));
}

TEST_CASE("an execution ends with an arrival that must not complete its phase") {
  // PTX ISA 8.7 § 9.7.13.15.13, .noComplete
  Columns columns(3);
  columns.add(0, "mbarrier.arrive.shared.b64 _, [a]").wait(0, "a", "0").add(0, "st.weak x, 1");
  columns.add(1, "mbarrier.arrive.shared.b64 _, [a]");
  columns.add(2, "mbarrier.arrive.noComplete.shared.b64 r1, [a], 1").add(2, "st.weak x, 2");
  TermGraph graph;
  const LitmusTest test = columns.test(3);
  UnfoldOptions unfolding;
  unfolding.bound = 2;
  unfolding.may_wait_for_ever = unfolding.unchanged_is_idle = unfolding.misuse_ends_thread = true;
  const EventStructure structure = unfold(test.program, graph, unfolding);
  const auto interleaving = first_turns(structure);
  REQUIRE(interleaving.has_value());
  CHECK(interleaving->is_undefined);
  CHECK(interleaving->witness.execution.undefined_uses.contains(2));
  CHECK(has_finding(found_in_turns(structure), LaunchProperty::undefined));
}
