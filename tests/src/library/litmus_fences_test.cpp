#include "src/library/litmus_fences.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

FenceReport report_on(const std::string& text, const FencesQuestion& question = {},
                      Engine engine = Engine::both) {
  DecideOptions options;
  options.timeout_seconds = 60;
  return fences_of(parse_litmus(text, "test.litmus"), cat::load("ptx-8.7"), options, engine, question);
}

/// Each minimal assignment with its cost: "-3: relaxed.gpu none release.gpu".
std::vector<std::string> levels_of(const FenceReport& report) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < report.minimal.size(); ++i) {
    std::string text = std::to_string(report.costs[i]) + ":";
    for (std::size_t point = 0; point < report.points.size(); ++point)
      text += " " + report.points[point].levels[report.minimal[i][point]].name;
    result.push_back(text);
  }
  return result;
}

std::string message_passing(const std::string& placement, const std::string& store, const std::string& load,
                            const std::string& guard = "") {
  return "PTX MP\n{ x=0; f=0; }\n P0@cta 0,gpu 0 | P1@" + placement + " ;\n st.weak x, 1 | " + load +
         " r0, f ;\n " + store + " f, 1 | " + guard +
         " ;\n | ld.weak r1, x ;\n | L: ;\n"
         "~exists (P1:r0 == 1 /\\ P1:r1 == 0)\n";
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("message passing: what is too wide and too strong, and what would come back") {
  const FenceReport report =
      report_on(message_passing("cta 0,gpu 0", "st.release.sys", "ld.acquire.gpu", "bne r0, 1, L"));
  CHECK(report.holds);
  CHECK(report.property == "condition+race");
  CHECK(levels_of(report) == Texts{"-12: release.cta acquire.cta"});
  CHECK(report.needed_because[0] == "with relaxed.cta: 1:r0=1; 1:r1=0;");
}

TEST_CASE("message passing that is broken: repairs without a race") {
  const FenceReport report =
      report_on(message_passing("cta 1,gpu 0", "st.relaxed.gpu", "ld.relaxed.gpu", "bne r0, 1, L"));
  CHECK_FALSE(report.holds);
  CHECK(report.lost == "1:r0=1; 1:r1=0;");
  CHECK(report.property == "condition+race");
  CHECK(report.costs == std::vector<int>{6, 11, 11, 16});
  FencesQuestion any;
  any.races = RaceClause::ignore;
  const FenceReport racy = report_on(message_passing("cta 1,gpu 0", "st.weak", "ld.weak"), any);
  CHECK(racy.property == "condition");
  CHECK(racy.costs == std::vector<int>{12, 17, 17, 22, 64});  // two fence.sc around weak accesses, too
}

TEST_CASE("a program that races keeps its race, and gets no other one") {
  const FenceReport report = report_on(message_passing("cta 1,gpu 0", "st.release.gpu", "ld.acquire.gpu"));
  CHECK(report.holds);
  CHECK(report.property == "condition");  // without a guard the data may be read too early
  CHECK(levels_of(report) == Texts{"0: release.gpu acquire.gpu"});
  FencesQuestion none;
  none.races = RaceClause::forbid;
  const FenceReport strict =
      report_on(message_passing("cta 1,gpu 0", "st.release.gpu", "ld.acquire.gpu"), none);
  CHECK_FALSE(strict.holds);
  CHECK(strict.lost.starts_with("data race"));
  CHECK(levels_of(strict).front() == "6: relaxed.gpu none none relaxed.gpu");
}

TEST_CASE("the race clause keeps strength that the condition does not need") {
  const std::string counter =
      "PTX counter\n{ c=0; f=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu c, 1 | ld.relaxed.gpu "
      "r0, c ;\n~exists (P1:r0 == 2)\n";
  CHECK(levels_of(report_on(counter)) == Texts{"0: relaxed.gpu relaxed.gpu"});
  FencesQuestion any;
  any.races = RaceClause::ignore;
  CHECK(levels_of(report_on(counter, any)) == Texts{"-6: weak weak"});
}

TEST_CASE("the set of outcomes") {
  FencesQuestion same;
  same.same_outcomes = true;
  const std::string buffering =
      "PTX SB\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.release.gpu x, 1 | st.release.gpu y, 1 "
      ";\n"
      " fence.sc.gpu | fence.sc.gpu ;\n ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\nexists (P0:r0 == 7)\n";
  const FenceReport report = report_on(buffering, same);
  CHECK(report.property == "outcomes+race");
  CHECK(levels_of(report) == Texts{"-6: relaxed.gpu sc.gpu relaxed.gpu relaxed.gpu sc.gpu relaxed.gpu"});
  CHECK(levels_of(report_on(buffering)) ==
        Texts{"-70: relaxed.gpu none relaxed.gpu relaxed.gpu none relaxed.gpu"});
}

TEST_CASE("what no strength repairs, and what is unknown") {
  const FenceReport none = report_on(
      "PTX one\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 | ld.weak r0, x ;\n"
      "exists (P1:r0 == 0)\n");
  CHECK_FALSE(none.holds);
  CHECK(none.minimal.empty());
  CHECK(none.is_complete);
  const FenceReport unknown = report_on(
      "PTX loop\n{ x=0; }\n P0@cta 0,gpu 0 ;\n L: atom.relaxed.gpu.add r0, x, 1 ;\n bne r0, 9, L ;\n"
      "~exists (x == 3)\n");
  CHECK(unknown.property.empty());
  CHECK(unknown.reason == "loop bound 2");
}

TEST_CASE("a wait that would never end is lost strength too") {
  // Without morally strong accesses coherence need not make the store the last write that the loop can read.
  const FenceReport report = report_on(
      "PTX wait\n{ f=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu f, 1 | L: ld.relaxed.gpu r0, "
      "f ;\n"
      " | bne r0, 1, L ;\n~exists (P1:r0 == 0)\n");
  CHECK(report.holds);
  CHECK(levels_of(report) == Texts{"0: relaxed.gpu relaxed.gpu"});
}

TEST_CASE("a fence between proxies") {
  const FenceReport report = report_on(
      "PTX proxy\n{ x=0; s @ surface aliases x; }\n P0@cta 0,gpu 0 ;\n sust.weak s, 1 ;\n ld.weak r0, x ;\n"
      "exists (P0:r0 == 0)\n");
  REQUIRE(report.minimal.size() == 1);
  const auto changes = changes_of(report.points, report.minimal.front());
  REQUIRE(changes.size() == 1);
  CHECK(changes.front().by == "fence.proxy.surface");
}
