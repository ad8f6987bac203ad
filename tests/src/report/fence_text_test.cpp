#include "src/report/fence_text.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

Instruction written(const std::string& text) {
  Instruction result;
  result.text = text;
  return result;
}

/// A store in line 4, and a fence in line 5, of a program that keeps its condition.
FenceReport a_report() {
  FenceReport report;
  report.holds = true;
  report.property = "condition";
  report.is_complete = true;
  report.runs = 9;
  StrengthPoint store;
  store.thread_name = "P0";
  store.where = {4, 2};
  store.written = "st.release.gpu x, 1";
  store.levels = {{{Ordering::relaxed, Scope::gpu}, "relaxed.gpu", written("st.relaxed.gpu x, 1"), 3},
                  {{Ordering::release, Scope::gpu}, "release.gpu", written("st.release.gpu x, 1"), 6}};
  store.given = 1;
  StrengthPoint fence = store;
  fence.is_fence = true;
  fence.where = {5, 2};
  fence.written = "fence.sc.gpu";
  fence.levels = {{{}, "none", {}, 0}, {{Ordering::sc, Scope::gpu}, "sc.gpu", written("fence.sc.gpu"), 32}};
  report.points = {store, fence};
  report.minimal = {{1, 0}, {0, 1}};
  report.costs = {-32, -3};
  report.status = {PointStatus::either, PointStatus::wasted};
  report.needed_because = {"with relaxed.gpu: x=2", ""};
  return report;
}

}  // namespace

TEST_CASE("a program that keeps its property") {
  CHECK(fences_text(a_report(), "a.litmus", "a.litmus", 5) ==
        "a.litmus:4:2: either: st.release.gpu x, 1: another assignment needs less of it; with relaxed.gpu: "
        "x=2\n"
        "a.litmus:5:2: wasted: fence.sc.gpu: no fence is enough [-32]\n"
        "a.litmus: keeps condition: the cheapest of 2 minimal assignments [-32] for this placement\n");
  FenceReport part = a_report();
  part.is_complete = false;
  part.reason = "timeout";
  const std::string text = fences_text(part, "a.toml", "a.ptx", 5);
  CHECK(text.starts_with("a.ptx:4:2: either: st.release.gpu x, 1: not known to be needed; with"));
  CHECK(text.ends_with(
      "a.toml: keeps condition: the cheapest of 2 minimal assignments [-32] for this placement; "
      "not complete (timeout)\n"));
}

TEST_CASE("repairs, and what is unknown") {
  FenceReport report = a_report();
  report.holds = false;
  report.lost = "x=2";
  report.points[0].given = report.points[1].given = 0;
  report.points[1].is_inserted = true;
  report.minimal = {{1, 0}, {0, 1}};
  report.costs = {3, 32};
  report.points[0].written = "st.relaxed.gpu x, 1";
  report.points[1].written = "st.weak y, 1";
  CHECK(fences_text(report, "a", "a", 1) ==
        "a: loses condition: x=2\nrepair 1 [+3]:\n"
        "a:4:2: missing: st.relaxed.gpu x, 1 -> st.release.gpu x, 1\n"
        "a: 2 minimal repairs for this placement\n");
  const std::string both = fences_text(report, "a", "a", 2);
  CHECK(both.find("repair 2 [+32]:\na:5:2: missing: fence.sc.gpu before st.weak y, 1\n") !=
        std::string::npos);
  report.minimal.clear();
  CHECK(fences_text(report, "a", "a", 1) ==
        "a: loses condition: x=2\na: no stronger order, wider scope or fence repairs it\n");
  FenceReport unknown;
  unknown.reason = "loop bound 2";
  CHECK(fences_text(unknown, "a", "a", 1) == "a: unknown (loop bound 2)\n");
}

TEST_CASE("the keys of JSON") {
  CHECK(
      fences_json(a_report(), "a", "m") ==
      R"({"file":"a","model":"m","holds":true,"property":"condition","points":[{"thread":"P0","line":4,"column":2,)"
      R"("instruction":"st.release.gpu x, 1","status":"either","weakest":["relaxed.gpu","release.gpu"]},)"
      R"({"thread":"P0","line":5,"column":2,"instruction":"fence.sc.gpu","status":"wasted",)"
      R"("weakest":["none","sc.gpu"]}],"minimal":[[{"thread":"P0","line":5,"column":2,"change":"remove","by":""}],)"
      R"([{"thread":"P0","line":4,"column":2,"change":"replace by","by":"st.relaxed.gpu x, 1"}]],"cheapest":0,)"
      R"("cost":[-32,-3],"complete":true,"runs":9,"time_s":0.0})");
}

TEST_CASE("the table: what is complete, what is not, and what has no report") {
  FenceReport kept;
  kept.holds = kept.is_complete = true;
  kept.property = "safe";
  kept.points.resize(2);
  kept.status = {PointStatus::needed, PointStatus::wasted};
  kept.minimal = {{1, 0}};
  kept.costs = {-6};
  kept.runs = 7;
  FenceReport open = kept;
  open.is_complete = false;
  open.reason = "timeout";
  open.trials = FenceTrials{2, 1, 1, 0};
  const std::vector<FenceRow> rows = {
      {"lock_ok", kept, ""}, {"queue_ok", open, ""}, {"other", {}, "no answer"}};
  const std::string table = fence_table_markdown(rows);
  CHECK(table.find("| lock_ok | keeps safe | 2 | 1 | 1 | 0 | 0 | 1 | -6 | 7 | 0.00 s |  |  |\n") !=
        std::string::npos);
  CHECK(table.find("| 0.00 s | 3 of 4 | not complete (timeout) |\n") != std::string::npos);
  CHECK(table.find("| other | unknown |  |  |  |  |  |  |  |  |  |  | no answer |\n") != std::string::npos);
  CHECK(table.ends_with("\n\nall: tried: 2 programs keep it, 1 lose it, as said; 1 undecided\n"));
}
