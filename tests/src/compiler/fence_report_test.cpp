#include "src/compiler/fence_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

const char* const rows =
    "PTX t\n{ x; y; }\n P0@cta 0,gpu 0 ;\n st.release.cta x, 1 ;\n fence.sc.cta ;\n st.release.cta y, 1 ;\n"
    "exists (true)\n";

Program program() { return parse_litmus(rows, "t.litmus").program; }

/// The report about a program for a property of its code.
FenceReport report_on(const Program& program, bool holds,
                      const std::function<KeptAnswer(const Program&)>& decide) {
  const auto points = holds ? points_to_weaken(program, {}) : points_to_strengthen(program, {});
  return report_fences(points, holds,
                       [&](const Assignment& at) { return decide(with_levels(program, points, at)); }, {});
}

bool has(const Program& program, const std::string& text) {
  return std::ranges::any_of(program.threads[0].code,
                             [&](const Instruction& instruction) { return instruction.text == text; });
}

std::string text_of_change(const StrengthChange& change) {
  return std::string(change.change) + " " + change.by;
}

}  // namespace

TEST_CASE("needed, wasted and either") {
  // The fence orders, or both of the stores do.
  const auto decide = [](const Program& at) -> KeptAnswer {
    const bool fence = has(at, "fence.sc.cta");
    const bool release = has(at, "st.release.cta y, 1");
    const bool relaxed = !has(at, "st.weak x, 1");
    if (relaxed && (fence || release)) return {Kept::yes, "", ""};
    return {Kept::no, "", "x=2"};
  };
  const FenceReport report = report_on(program(), true, decide);
  CHECK(report.is_complete);
  REQUIRE(report.minimal.size() == 2);
  CHECK(report.costs == std::vector<int>{-1 - 12, -1 - 2});
  CHECK(report.status ==
        std::vector<PointStatus>{PointStatus::wasted, PointStatus::either, PointStatus::either});
  CHECK(weakest_levels(report, 0) == std::vector<std::string>{"relaxed.cta"});
  CHECK(weakest_levels(report, 1) == std::vector<std::string>{"none", "sc.cta"});
  CHECK(report.needed_because == std::vector<std::string>{"with weak: x=2", "", "with relaxed.cta: x=2"});
  const auto changes = changes_of(report.points, report.minimal.front());
  REQUIRE(changes.size() == 2);
  CHECK(text_of_change(changes[0]) == "replace by st.relaxed.cta x, 1");
  CHECK(text_of_change(changes[1]) == "remove ");
}

TEST_CASE("missing: repairs, cheapest first") {
  const Program weak =
      parse_litmus("PTX t\n{ x; y; }\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n st.weak y, 1 ;\nexists (true)\n",
                   "t.litmus")
          .program;
  const auto decide = [](const Program& at) -> KeptAnswer {
    const bool is_kept =
        has(at, "st.release.cta y, 1") || has(at, "fence.acq_rel.cta") || has(at, "fence.sc.cta");
    return {is_kept ? Kept::yes : Kept::no, "", "x=2"};
  };
  const FenceReport report = report_on(weak, false, decide);
  REQUIRE(report.minimal.size() == 2);
  CHECK(report.costs == std::vector<int>{2, 5});
  CHECK(text_of_change(changes_of(report.points, report.minimal[0]).at(0)) ==
        "replace by st.release.cta y, 1");
  CHECK(text_of_change(changes_of(report.points, report.minimal[1]).at(0)) ==
        "insert before fence.acq_rel.cta");
  CHECK(report.status ==
        std::vector<PointStatus>{PointStatus::needed, PointStatus::either, PointStatus::either});
}

TEST_CASE("nothing repairs it, and what is undecided") {
  const auto never = [](const Program&) -> KeptAnswer { return {Kept::no, "", ""}; };
  const FenceReport none = report_on(program(), false, never);
  CHECK(none.minimal.empty());
  CHECK(none.is_complete);
  const auto undecided = [](const Program& at) -> KeptAnswer {
    if (has(at, "fence.sc.cta")) return {Kept::yes, "", ""};
    return {Kept::unknown, "loop bound 2", ""};
  };
  const FenceReport part = report_on(program(), true, undecided);
  CHECK(part.minimal.size() == 1);
  CHECK_FALSE(part.is_complete);
  CHECK(part.status[1] == PointStatus::either);  // the fence: it is not known whether it is needed
  CHECK(part.reason == "some combinations are undecided: loop bound 2");
}

TEST_CASE("trials: what a report says, and every assignment") {
  const Program tried = program();
  const auto decide = [](const Program& at) -> KeptAnswer {
    return {has(at, "fence.sc.cta") && !has(at, "st.weak x, 1") ? Kept::yes : Kept::no, "", ""};
  };
  FenceReport report = report_on(tried, true, decide);
  const auto decide_levels = [&](const Assignment& at) {
    return decide(with_levels(tried, report.points, at));
  };
  const FenceTrials said = try_answers(report, WhatToTry::said, decide_levels);
  CHECK(said.kept >= 2);  // the minimal assignment, and that the last store is wasted
  CHECK(said.lost >= 2);
  CHECK(said.wrong == 0);
  const FenceTrials all = try_answers(report, WhatToTry::all, decide_levels);
  std::size_t combinations = 1;
  for (const StrengthPoint& point : report.points) combinations *= point.levels.size();
  CHECK(all.kept + all.lost == combinations);
  CHECK(all.wrong == 0);
  report.minimal.front()[1] = 0;  // a report that is not right
  CHECK(try_answers(report, WhatToTry::all, decide_levels).wrong > 0);
}

TEST_CASE("without fence.sc, and not stronger") {
  const Program strengthened = program();
  const auto points = points_to_strengthen(strengthened, {});
  const StrengthLattice lattice = lattice_of(points);
  const Assignment top = strongest(lattice), easier = without_sc(points, top);
  CHECK(is_weaker_or_equal(lattice, easier, top));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool has_other = points[i].levels.front().strength.ordering != Ordering::sc;
    if (has_other) CHECK(points[i].levels[easier[i]].strength.ordering != Ordering::sc);
  }
}
