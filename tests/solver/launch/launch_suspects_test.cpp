// The lines of suspects, what is accepted, and writes that leave no value.
#include "solver/launch/launch_suspects.hpp"

#include <doctest/doctest.h>

#include "tests/solver/launches.hpp"

using namespace ptxmc;

TEST_CASE("one finding a pair of lines: which thread is first, and numbers in messages, make no difference") {
  Suspect one, same, other;
  one.site.where.line = 7;
  one.other.emplace().where.line = 3;
  same.site.where.line = 3;
  same.other.emplace().where.line = 7;
  CHECK(std::get<0>(lines_of(one)) == 3);
  CHECK(std::get<1>(lines_of(one)) == 7);
  CHECK(lines_of(one) == lines_of(same));
  other.site.where.line = 3;
  CHECK(lines_of(one) != lines_of(other));
  CHECK(gist_of("thread 3 reads 16 bytes") == gist_of("thread 12 reads 4 bytes"));
  CHECK(gist_of("a read") != gist_of("a write"));
}

TEST_CASE("a finding is accepted at its position, or at that of its other site") {
  Suspect suspect;
  suspect.site.where = {7, 1};
  suspect.other.emplace().where = {3, 1};
  LaunchQuestion question;
  CHECK_FALSE(is_ignored(question, LaunchProperty::race, suspect));
  for (const std::uint32_t line : {3, 7}) {
    question.is_ignored = [line](LaunchProperty property, const SourcePosition& where) {
      return property == LaunchProperty::race && where.line == line;
    };
    CHECK(is_ignored(question, LaunchProperty::race, suspect));
    CHECK_FALSE(is_ignored(question, LaunchProperty::deadlock, suspect));
  }
}

TEST_CASE("a race is accepted between two racing lines") {
  Suspect suspect;
  suspect.site.where = {7, 1};
  suspect.other.emplace().where = {3, 1};
  LaunchQuestion question;
  question.racing_lines = {3, 8};
  CHECK_FALSE(is_ignored(question, LaunchProperty::race, suspect));
  question.racing_lines = {3, 7};
  CHECK(is_ignored(question, LaunchProperty::race, suspect));
  CHECK_FALSE(is_ignored(question, LaunchProperty::divergence, suspect));
}

TEST_CASE("memory of unknown content gives no value, and zeros do") {
  const LitmusTest test = launch_of(std::string("{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n") +
                                    " st.weak x, 1 | ld.weak r0, y ;\nexists (x == 0)");
  for (const bool is_known : {true, false}) {
    LitmusTest changed = test;
    for (Variable& variable : changed.program.memory)
      if (!is_known) variable.initial.assign(variable.initial.size(), Bits());
    TermGraph graph;
    const EventStructure structure = events_of(changed, graph);
    for (const Event& event : structure.events)
      if (event.is_write())
        CHECK(gives_no_value(structure, event) == (!is_known && event.kind == EventKind::initial_write));
  }
}
