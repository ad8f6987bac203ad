#include "src/report/fence_sarif.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "src/report/sarif_log.hpp"

namespace ptxmc {
namespace {

using Json = nlohmann::ordered_json;

constexpr SarifRule fence_rules[] = {
    {"ptxmc/fence-missing", "FenceMissing", "A stronger order, a wider scope or a fence is missing.",
     "Some execution that the memory model allows loses the property. The fix makes all changes of the "
     "cheapest repair.",
     "error"},
    {"ptxmc/fence-wasted", "FenceWasted", "The property holds without this fence.",
     "In the cheapest assignment of orders and scopes that keeps the property this fence is left out.",
     "note"},
    {"ptxmc/order-too-strong", "OrderTooStrong", "The property holds with a weaker order.",
     "In the cheapest assignment of orders and scopes that keeps the property this order is weaker.", "note"},
    {"ptxmc/scope-too-wide", "ScopeTooWide",
     "The property holds with a narrower scope, for this placement of threads.",
     "In the cheapest assignment of orders and scopes that keeps the property this scope is narrower.",
     "note"},
};

std::size_t rule_of(const FenceReport& report, const StrengthPoint& point, const PointLevel& level) {
  if (!report.holds) return 0;
  if (!level.made) return 1;
  return level.strength.ordering == point.levels[point.given].strength.ordering ? 3 : 2;
}

/// § 3.57: a region that is replaced. A line without columns is replaced up to its end; a line that is
/// removed, with its end.
Json replacement(const LineEdit& edit) {
  if (edit.lines.empty())
    return {{"deletedRegion",
             {{"startLine", edit.line}, {"startColumn", 1}, {"endLine", edit.line + 1}, {"endColumn", 1}}},
            {"insertedContent", {{"text", ""}}}};
  return {{"deletedRegion", {{"startLine", edit.line}}},
          {"insertedContent", {{"text", fmt::format("{}", fmt::join(edit.lines, "\n"))}}}};
}

Json fix_json(const FenceLog& log, const std::vector<LineEdit>& edits, const SarifPlaces& places) {
  Json replacements = Json::array();
  for (const LineEdit& edit : edits) replacements.push_back(replacement(edit));
  return {{"description",
           {{"text", log.report.holds ? "Take the needless strength away." : "Make the cheapest repair."}}},
          {"artifactChanges",
           Json::array({{{"artifactLocation", places.address(log.file)}, {"replacements", replacements}}})}};
}

std::string message_of(const FenceReport& report, const StrengthChange& change) {
  const StrengthPoint& point = report.points[change.point];
  if (point.is_inserted) return fmt::format("Missing before `{}`: `{}`.", point.written, change.by);
  if (change.by.empty()) return fmt::format("Wasted: `{}`.", point.written);
  return report.holds ? fmt::format("`{}`: `{}` is enough for {}.", point.written, change.by, report.property)
                      : fmt::format("`{}` is too weak: `{}` is needed for {}.", point.written, change.by,
                                    report.property);
}

void add_results(const FenceLog& log, const SarifPlaces& places, Json& results) {
  const FenceReport& report = log.report;
  if (report.minimal.empty()) return;
  for (const StrengthChange& change : changes_of(report.points, report.minimal.front())) {
    const StrengthPoint& point = report.points[change.point];
    const std::size_t rule = rule_of(report, point, point.levels[report.minimal.front()[change.point]]);
    Json place = places.location(log.file, point.where.line);
    place["physicalLocation"]["region"]["startColumn"] = std::max(point.where.column, 1U);
    Json result = {{"ruleId", fence_rules[rule].id},
                   {"ruleIndex", rule},
                   {"level", fence_rules[rule].level},
                   {"message", {{"text", message_of(report, change)}}},
                   {"locations", Json::array({place})}};
    if (!log.fixes[change.point].empty())
      result["fixes"] = Json::array({fix_json(log, log.fixes[change.point], places)});
    results.push_back(std::move(result));
  }
}

}  // namespace

std::string fences_sarif(std::span<const FenceLog> logs, const std::filesystem::path& folder) {
  const SarifPlaces places(folder);
  Json list = Json::array(), results = Json::array();
  for (const SarifRule& rule : fence_rules) list.push_back(sarif_rule(rule));
  for (const FenceLog& log : logs) add_results(log, places, results);
  return sarif_text(places, list, results);
}

}  // namespace ptxmc
