#include "src/report/fence_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "src/report/json_text.hpp"

namespace ptxmc {
namespace {

using Json = nlohmann::ordered_json;

std::string point_place(std::string_view file, const StrengthPoint& point) {
  return fmt::format("{}:{}:{}", file, point.where.line, point.where.column);
}

std::string cost_text(int cost) { return fmt::format("[{:+}]", cost); }

std::string level_text(const StrengthPoint& point, std::size_t level) {
  const PointLevel& chosen = point.levels[level];
  if (!point.is_fence) return chosen.name;
  return chosen.made ? chosen.made->text : "no fence";
}

/// A line about an annotation of a program that keeps the property.
std::string point_text(const FenceReport& report, std::size_t number, std::string_view file) {
  const StrengthPoint& point = report.points[number];
  const std::size_t level = report.minimal.front()[number];
  const std::string place = point_place(file, point);
  const std::string& because = report.needed_because[number];
  const char* status = status_name(report.status[number]);
  const std::string why = because.empty() ? "" : "; " + because;
  if (level == point.given)
    return fmt::format(
        "{}: {}: {}{}\n", place, status, point.written,
        report.status[number] == PointStatus::either
            ? (report.is_complete ? ": another assignment needs less of it" : ": not known to be needed") +
                  why
            : why);
  const int saved =
      static_cast<int>(point.levels[level].cost) - static_cast<int>(point.levels[point.given].cost);
  return fmt::format("{}: {}: {}: {} is enough {}{}\n", place, status, point.written,
                     level_text(point, level), cost_text(saved), why);
}

std::string change_text(const StrengthChange& change, const StrengthPoint& point, std::string_view file) {
  if (point.is_inserted)
    return fmt::format("{}: missing: {} before {}\n", point_place(file, point), change.by, point.written);
  return fmt::format("{}: missing: {} -> {}\n", point_place(file, point), point.written, change.by);
}

std::string completeness(const FenceReport& report) {
  return report.is_complete ? "" : fmt::format("; not complete ({})", report.reason);
}

std::string wasted_text(const FenceReport& report, std::string_view subject, std::string_view file) {
  std::string text;
  for (std::size_t i = 0; i < report.points.size(); ++i) text += point_text(report, i, file);
  const int cost = report.costs.front();
  const std::string kept = fmt::format("{}: keeps {}: ", subject, report.property);
  const std::string summary =
      cost == 0 ? "nothing is wasted for this placement"
                : fmt::format("the cheapest of {} minimal assignments {} for this placement",
                              report.minimal.size(), cost_text(cost));
  return text + kept + summary + completeness(report) + "\n";
}

std::string repairs_text(const FenceReport& report, std::string_view subject, std::string_view file,
                         std::size_t most) {
  std::string text = fmt::format("{}: loses {}: {}\n", subject, report.property, report.lost);
  for (std::size_t i = 0; i < std::min(most, report.minimal.size()); ++i) {
    text += fmt::format("repair {} {}:\n", i + 1, cost_text(report.costs[i]));
    for (const StrengthChange& change : changes_of(report.points, report.minimal[i]))
      text += change_text(change, report.points[change.point], file);
  }
  if (report.minimal.empty())
    return text + fmt::format("{}: no stronger order, wider scope or fence repairs it{}\n", subject,
                              completeness(report));
  return text + fmt::format("{}: {} minimal repairs for this placement{}\n", subject, report.minimal.size(),
                            completeness(report));
}

/// The points that a report is about: of a repair only those that some minimal assignment strengthens.
bool is_shown(const FenceReport& report, std::size_t point) {
  return report.holds || report.status[point] != PointStatus::needed;
}

Json points_json(const FenceReport& report) {
  Json points = Json::array();
  for (std::size_t i = 0; i < report.status.size(); ++i) {
    if (!is_shown(report, i)) continue;
    const StrengthPoint& point = report.points[i];
    points.push_back({{"thread", point.thread_name},
                      {"line", point.where.line},
                      {"column", point.where.column},
                      {"instruction", point.written},
                      {"status", status_name(report.status[i])},
                      {"weakest", weakest_levels(report, i)}});
  }
  return points;
}

Json minimal_json(const FenceReport& report) {
  Json result = Json::array();
  for (const Assignment& one : report.minimal) {
    Json changes = Json::array();
    for (const StrengthChange& change : changes_of(report.points, one)) {
      const StrengthPoint& point = report.points[change.point];
      changes.push_back({{"thread", point.thread_name},
                         {"line", point.where.line},
                         {"column", point.where.column},
                         {"change", change.change},
                         {"by", change.by}});
    }
    result.push_back(std::move(changes));
  }
  return result;
}

}  // namespace

namespace {

std::string trials_text(const FenceTrials& trials, std::string_view subject) {
  return fmt::format("{}: tried: {} programs keep it, {} lose it, as said{}{}\n", subject, trials.kept,
                     trials.lost,
                     trials.undecided == 0 ? "" : fmt::format("; {} undecided", trials.undecided),
                     trials.wrong == 0 ? "" : fmt::format("; {} not as said", trials.wrong));
}

std::string answer_text(const FenceReport& report, std::string_view subject, std::string_view file,
                        std::size_t most_repairs) {
  if (report.property.empty()) return fmt::format("{}: unknown ({})\n", subject, report.reason);
  if (!report.holds) return repairs_text(report, subject, file, most_repairs);
  if (report.minimal.empty() || report.points.empty())
    return fmt::format("{}: keeps {}: {}{}\n", subject, report.property,
                       report.points.empty() ? "no annotation can be weaker" : "unknown what can be weaker",
                       completeness(report));
  return wasted_text(report, subject, file);
}

}  // namespace

std::string fences_text(const FenceReport& report, std::string_view subject, std::string_view file,
                        std::size_t most_repairs) {
  const std::string answer = answer_text(report, subject, file, most_repairs);
  return report.trials ? answer + trials_text(*report.trials, subject) : answer;
}

std::string fences_json(const FenceReport& report, std::string_view file, const std::string& model) {
  const bool is_known = !report.property.empty();
  Json json = {{"file", file},
               {"model", model},
               {"holds", is_known ? Json(report.holds) : Json(nullptr)},
               {"property", is_known ? Json(report.property) : Json(nullptr)},
               {"points", points_json(report)},
               {"minimal", minimal_json(report)},
               {"cheapest", report.minimal.empty() ? Json(nullptr) : Json(0)},
               {"cost", report.costs},
               {"complete", report.is_complete},
               {"runs", report.runs},
               {"time_s", std::round(report.seconds * 1e6) / 1e6}};
  if (const auto& trials = report.trials)
    json["tried"] = {{"kept", trials->kept},
                     {"lost", trials->lost},
                     {"undecided", trials->undecided},
                     {"wrong", trials->wrong}};
  return json_text(json);
}

namespace {

/// `13 of 13`: the programs that are as said, of those that were tried.
std::string trials_cell(const std::optional<FenceTrials>& trials) {
  if (!trials) return "";
  const std::size_t right = trials->kept + trials->lost;
  return fmt::format("{} of {}", right, right + trials->undecided + trials->wrong);
}

std::string row_text(const FenceRow& row) {
  const FenceReport& report = row.report;
  const std::string why = row.failure.empty() ? completeness(report) : row.failure;
  if (report.property.empty())
    return fmt::format("| {} | unknown |  |  |  |  |  |  |  |  |  |  | {} |\n", row.subject,
                       row.failure.empty() ? report.reason : row.failure);
  const auto count = [&](PointStatus status) { return std::ranges::count(report.status, status); };
  return fmt::format("| {} | {} {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2f} s | {} | {} |\n",
                     row.subject, report.holds ? "keeps" : "loses", report.property, report.points.size(),
                     report.holds ? count(PointStatus::needed) : 0, count(PointStatus::wasted),
                     count(PointStatus::either), count(PointStatus::missing), report.minimal.size(),
                     report.costs.empty() ? "" : fmt::format("{:+}", report.costs.front()), report.runs,
                     report.seconds, trials_cell(report.trials), why.starts_with("; ") ? why.substr(2) : why);
}

}  // namespace

std::string fence_table_markdown(std::span<const FenceRow> rows) {
  std::string text =
      "| launch | property | annotations | needed | wasted | either | missing | minimal | cheapest | runs | "
      "time | tried | otherwise |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|\n";
  FenceTrials all;
  for (const FenceRow& row : rows) {
    text += row_text(row);
    if (!row.report.trials) continue;
    all.kept += row.report.trials->kept;
    all.lost += row.report.trials->lost;
    all.undecided += row.report.trials->undecided;
    all.wrong += row.report.trials->wrong;
  }
  if (all.kept + all.lost + all.undecided + all.wrong > 0) text += "\n" + trials_text(all, "all");
  return text;
}

}  // namespace ptxmc
