// The findings of an execution in which threads continue after traps: only what happens before every trap.
#include "solver/launch/launch_findings.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "model/judge/interleaved_execution.hpp"
#include "solver/launch/interleavings.hpp"
#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

/// A launch of two CTAs of one thread each, and one execution of it. The first row is line 4 of the text.
struct Shown {
  LitmusTest test;
  TermGraph graph;
  EventStructure structure;
  LaunchQuestion question;
  cat::Model model = cat::load("ptx-8.7");

  Shown(const std::string& rows, bool traps_go_on)
      : test(
            launch_of("{ x=0; y=0; z=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n" + rows + "exists (x == 0)")),
        structure(events_of(test, graph, 2, traps_go_on)),
        question(question_about(structure)) {
    question.traps_go_on = traps_go_on;
  }

  ShownExecution execution(std::span<const FinalContent> finals = {}) const {
    const BarrierSchedule schedule(structure.events.size(), -1);
    auto interleaving = interleaving_in_turns(structure, schedule, {}, {}, Turn::all);
    REQUIRE(interleaving.has_value());
    orient_in_time(model, interleaving->witness.execution, interleaving->moments);
    return {question, structure, model, std::move(interleaving->witness), finals};
  }

  /// The accesses of the two threads in one row.
  Suspect race_in(std::uint32_t line) const {
    Suspect race;
    race.condition = Bits::boolean(true);
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
      const LaunchSite site = site_of(structure, id);
      if (site.thread == 0 && site.where.line == line) race.site = site;
      if (site.thread == 1 && site.where.line == line) race.other = site;
    }
    REQUIRE(race.site.event >= 0);
    REQUIRE(race.other.has_value());
    return race;
  }
};

/// The first thread reads 0 and traps; it would go on at the label.
constexpr std::uint32_t x_line = 4, y_line = 8;
constexpr const char* trap_between =
    " st.weak x, 1 | ld.weak r0, x ;\n ld.relaxed.gpu r1, z | ;\n bne r1, 0, E | ;\n trap | ;\n"
    " E: st.weak y, 1 | ld.weak r0, y ;\n";

}  // namespace

TEST_CASE("a race before a trap is shown, and one behind it is not") {
  const Shown shown(trap_between, true);
  const Suspect before = shown.race_in(x_line), behind = shown.race_in(y_line);
  ShownExecution execution = shown.execution();
  std::vector<LaunchFinding> findings;
  const auto lines = execution.note(LaunchProperty::race, std::vector{behind, before}, findings);
  CHECK(lines == std::set{lines_of(before)});
  REQUIRE(findings.size() == 1);
  const LaunchFinding& race = findings.front();
  const auto& events = race.witness.events;
  REQUIRE(race.other.has_value());
  for (const LaunchSite& site : {race.site, *race.other}) {
    const Event& event = events[static_cast<std::size_t>(site.event)];
    CHECK(event.thread == site.thread);
    CHECK(event.instruction->where.line == x_line);
  }
  CHECK(std::ranges::none_of(events, [](const Event& event) {
    return event.thread == 0 && event.instruction->where.line == y_line;
  }));
}

TEST_CASE("the pairs of a relation are those before the traps") {
  const Shown shown(trap_between, true);
  const std::vector<Suspect> races = shown.execution().pairs("data_race", unordered_pair);
  REQUIRE(races.size() == 1);
  CHECK(lines_of(races.front()) == lines_of(shown.race_in(x_line)));
  CHECK(shown.execution().pairs("no_such_relation", unordered_pair).empty());
}

TEST_CASE("what no event shows needs the events before it, and for all threads that none traps") {
  const Shown shown(trap_between, true);
  Suspect early, behind, late, at_end;
  for (Suspect* suspect : {&early, &behind, &late, &at_end}) suspect->condition = Bits::boolean(true);
  early.site = behind.site = late.site = {0, {}, -1};
  early.message = "early";
  behind.message = "behind";
  late.message = "late";
  const auto& endings = shown.structure.endings[0];
  const auto trap = std::ranges::find(endings, Ending::Kind::trapped, &Ending::kind);
  REQUIRE(trap != endings.end());
  early.step = trap->first_step - 1;  // the trap itself
  behind.step = trap->first_step;
  std::vector<LaunchFinding> findings;
  ShownExecution execution = shown.execution();
  CHECK(
      execution.note(LaunchProperty::assertion, std::vector{early, behind, late, at_end}, findings).size() ==
      1);
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().message == "early");
}

TEST_CASE("a condition that is false in the execution is no finding, and a pair of lines is one") {
  const Shown shown(" st.weak x, 1 | ld.weak r0, x ;\n", false);
  Suspect race = shown.race_in(x_line), reversed = race, absent = race;
  std::swap(reversed.site, *reversed.other);
  absent.condition = Bits::boolean(false);
  std::vector<LaunchFinding> findings;
  ShownExecution execution = shown.execution();
  CHECK(execution.note(LaunchProperty::race, std::vector{absent}, findings).empty());
  CHECK(execution.note(LaunchProperty::race, std::vector{race, reversed}, findings).size() == 1);
  CHECK(findings.size() == 1);
}

TEST_CASE("the elements of the final condition are part of the witness") {
  const Shown shown(" st.weak y, 5 | ;\n", false);
  std::size_t y = 0;
  while (shown.test.program.memory[y].name != "y") ++y;
  const FinalContent content{static_cast<int>(y), 0, Bits(32, 5)};
  ShownExecution execution = shown.execution({&content, 1});
  Suspect end;
  end.condition = Bits::boolean(true);
  std::vector<LaunchFinding> findings;
  execution.note(LaunchProperty::assertion, std::vector{end}, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().witness.final_memory[y][0].to_u64() == 5);
}
