// What may violate a property, before it is asked whether an execution does.
#include "solver/launch/launch_suspects.hpp"

#include <doctest/doctest.h>

#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

constexpr const char* two = "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n";

std::vector<Suspect> suspects_of(const std::string& rows, LaunchProperty property, int threads_of_warp = 1) {
  const LitmusTest test = launch_of(two + rows + "exists (x == 0)", threads_of_warp);
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  std::vector<Suspect> result;
  for (const Suspect& suspect : visible_suspects(structure, property))
    if (!suspect.condition.is_false()) result.push_back(suspect);
  for (Suspect& suspect : result) suspect.condition = Bits();  // its terms end with the graph
  return result;
}

}  // namespace

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

TEST_CASE("threads that may trap, and accesses that may be out of bounds, are suspects without a model") {
  CHECK(suspects_of(" ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n bne r0, 1, E | ;\n trap | ;\n E: | ;\n",
                    LaunchProperty::assertion)
            .size() == 1);
  CHECK(suspects_of(" ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n", LaunchProperty::assertion).empty());
  const auto stray =
      suspects_of(" ld.relaxed.gpu r0, [x+4] | ld.relaxed.gpu r0, x ;\n", LaunchProperty::out_of_bounds);
  REQUIRE(stray.size() == 1);
  CHECK(stray.front().site.thread == 0);
}

TEST_CASE("aligned barriers at different rows are suspects in one warp, and not in two") {
  const std::string rows = " bar.sync 0 | ;\n | bar.sync 0 ;\n";
  CHECK_FALSE(suspects_of(rows, LaunchProperty::divergence, 2).empty());
  CHECK(suspects_of(rows, LaunchProperty::divergence, 1).empty());
  CHECK(suspects_of(" bar.sync 0 | bar.sync 0 ;\n", LaunchProperty::divergence, 2).empty());
}

TEST_CASE("memory of unknown content gives no value, and zeros do") {
  const LitmusTest test = launch_of(std::string(two) + " st.weak x, 1 | ld.weak r0, y ;\nexists (x == 0)");
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

TEST_CASE("flags about races, and others") {
  CHECK(is_race_flag("data_race"));
  CHECK(is_race_flag("mixed_size_data_race"));
  CHECK_FALSE(is_race_flag("later_than_ptx_6_4"));
  CHECK_FALSE(is_race_flag("undefined_mmio_to_shared"));
}
