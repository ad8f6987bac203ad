#include "src/report/fence_sarif.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace ptxmc;
using Json = nlohmann::ordered_json;

namespace {

/// A point with a given level 1 and a weaker level 0, at a line.
StrengthPoint point_at(std::uint32_t line, Strength weaker, Strength given, bool has_weaker = true) {
  StrengthPoint point;
  point.where = {line, 2};
  point.written = "written";
  point.given = 1;
  point.levels = {{weaker, "weaker", Instruction(), 0}, {given, "given", Instruction(), 3}};
  point.levels[0].made->text = "made";
  if (!has_weaker) point.levels[0].made.reset();
  return point;
}

Json results_of(const FenceLog& log) {
  const FenceLog logs[] = {log};
  const Json document = Json::parse(fences_sarif(logs, "/work"));
  CHECK(document["version"] == "2.1.0");
  CHECK(document["runs"][0]["tool"]["driver"]["rules"].size() == 4);
  return document["runs"][0]["results"];
}

}  // namespace

TEST_CASE("wasted annotations are notes with a fix each") {
  FenceLog log;
  log.file = "a.litmus";
  log.report.holds = true;
  log.report.property = "condition";
  log.report.points = {point_at(3, {}, {Ordering::sc, Scope::gpu}, false),
                       point_at(4, {Ordering::relaxed, Scope::gpu}, {Ordering::release, Scope::gpu}),
                       point_at(5, {Ordering::relaxed, Scope::cta}, {Ordering::relaxed, Scope::gpu})};
  log.report.minimal = {{0, 0, 0}};
  log.fixes = {{{3, {}}}, {{4, {"x", "y"}}}, {}};
  const Json results = results_of(log);
  REQUIRE(results.size() == 3);
  CHECK(results[0]["ruleId"] == "ptxmc/fence-wasted");
  CHECK(results[1]["ruleId"] == "ptxmc/order-too-strong");
  CHECK(results[2]["ruleId"] == "ptxmc/scope-too-wide");
  CHECK(results[2]["level"] == "note");
  CHECK(results[1]["message"]["text"] == "`written`: `made` is enough for condition.");
  CHECK(results[1]["locations"][0]["physicalLocation"]["region"]["startLine"] == 4);
  CHECK(results[1]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 2);
  const Json change = results[1]["fixes"][0]["artifactChanges"][0];
  CHECK(change["artifactLocation"]["uri"] == "a.litmus");
  CHECK(change["replacements"][0]["deletedRegion"] == Json({{"startLine", 4}}));
  CHECK(change["replacements"][0]["insertedContent"]["text"] == "x\ny");
  CHECK(results[0]["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"]["endLine"] == 4);
  CHECK_FALSE(results[2].contains("fixes"));
}

TEST_CASE("missing annotations are errors; without a repair there is no result") {
  FenceLog log;
  log.file = "a.litmus";
  log.report.property = "condition+race";
  log.report.points = {point_at(4, {}, {Ordering::release, Scope::gpu})};
  log.report.points[0].given = 0;
  log.report.points[0].levels[1].made->text = "stronger";
  log.fixes = {{}};
  CHECK(results_of(log).empty());
  log.report.minimal = {{1}};
  const Json results = results_of(log);
  CHECK(results[0]["ruleId"] == "ptxmc/fence-missing");
  CHECK(results[0]["level"] == "error");
  CHECK(results[0]["message"]["text"] == "`written` is too weak: `stronger` is needed for condition+race.");
}
