#include "src/compiler/fence_report.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace ptxmc {
namespace {

/// Whether two assignments change the text in the same way: a fence of a proxy has two points in one place.
bool is_same_text(const std::vector<StrengthPoint>& points, const Assignment& a, const Assignment& b) {
  return std::ranges::equal(changes_of(points, a), changes_of(points, b),
                            [&](const StrengthChange& one, const StrengthChange& other) {
                              const StrengthPoint& left = points[one.point];
                              const StrengthPoint& right = points[other.point];
                              return left.thread == right.thread && left.instruction == right.instruction &&
                                     left.is_inserted == right.is_inserted && one.by == other.by;
                            });
}

void sort_by_cost(FenceReport& report) {
  std::vector<Assignment> different;
  for (Assignment& one : report.minimal)
    if (std::ranges::none_of(
            different, [&](const Assignment& other) { return is_same_text(report.points, one, other); }))
      different.push_back(std::move(one));
  report.minimal = std::move(different);
  std::ranges::sort(report.minimal);
  std::ranges::stable_sort(report.minimal, {},
                           [&](const Assignment& one) { return cost_of(report.points, one); });
  for (const Assignment& one : report.minimal) report.costs.push_back(cost_of(report.points, one));
}

PointStatus status_of(const FenceReport& report, std::size_t point) {
  const auto given = std::ranges::count_if(
      report.minimal, [&](const Assignment& one) { return one[point] == report.points[point].given; });
  const bool is_in_all = given == std::ssize(report.minimal);
  // What every assignment found so far has, another one may lack.
  const auto if_complete = [&](PointStatus status) {
    return report.is_complete ? status : PointStatus::either;
  };
  if (is_in_all) return report.holds ? if_complete(PointStatus::needed) : PointStatus::needed;
  if (given > 0) return PointStatus::either;
  return report.holds ? PointStatus::wasted : if_complete(PointStatus::missing);
}

/// The strongest levels without `fence.sc`, which is in an order with every other one, so that many take
/// long.
Assignment without_sc(const std::vector<StrengthPoint>& points) {
  Assignment result;
  for (const StrengthPoint& point : points) {
    std::size_t level = point.levels.size() - 1;
    while (level > point.given && point.levels[level].strength.ordering == Ordering::sc) --level;
    result.push_back(static_cast<std::uint8_t>(level));
  }
  return result;
}

/// What comes back if one annotation of the cheapest assignment is weaker.
void explain_needs(const DecideAssignment& decide, const FenceSearchLimits& limits, FenceReport& report) {
  const Assignment& cheapest = report.minimal.front();
  const StrengthLattice lattice = lattice_of(report.points);
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    std::string& because = report.needed_because.emplace_back();
    for (const std::uint8_t weaker : lattice[i].just_below(cheapest[i])) {
      if (!because.empty() || (limits.reason_to_stop && !limits.reason_to_stop().empty())) break;
      Assignment at = cheapest;
      at[i] = weaker;
      const KeptAnswer answer = decide(at);
      if (answer.kept == Kept::no)
        because = "with " + report.points[i].levels[weaker].name + ": " + answer.lost;
    }
  }
}

}  // namespace

const char* status_name(PointStatus status) {
  constexpr const char* names[] = {"needed", "wasted", "either", "missing"};
  return names[static_cast<std::size_t>(status)];
}

std::vector<StrengthChange> changes_of(const std::vector<StrengthPoint>& points,
                                       const Assignment& assignment) {
  std::vector<StrengthChange> result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (assignment[i] == points[i].given) continue;
    const auto& made = points[i].levels[assignment[i]].made;
    const char* change = points[i].is_inserted ? "insert before" : made ? "replace by" : "remove";
    result.push_back({i, change, made ? made->text : ""});
  }
  return result;
}

std::vector<std::string> weakest_levels(const FenceReport& report, std::size_t point) {
  std::set<std::uint8_t> levels;
  for (const Assignment& one : report.minimal) levels.insert(one[point]);
  std::vector<std::string> names;
  for (const std::uint8_t level : levels) names.push_back(report.points[point].levels[level].name);
  return names;
}

FenceReport report_fences(std::vector<StrengthPoint> points, bool holds, const DecideAssignment& decide,
                          const FenceSearchLimits& limits) {
  FenceReport report;
  report.holds = holds;
  report.points = std::move(points);
  std::string reason;
  const auto decide_levels = [&](const Assignment& at) {
    const KeptAnswer answer = decide(at);
    if (answer.kept == Kept::unknown && reason.empty()) reason = answer.reason;
    return answer.kept;
  };
  FenceSearchLimits begun = limits;
  if (!holds) begun.first.push_back(without_sc(report.points));
  MinimalAssignments found = find_minimal(lattice_of(report.points), decide_levels, begun);
  report.minimal = std::move(found.minimal);
  report.is_complete = found.is_complete;
  report.runs = found.runs;
  report.reason = found.reason;
  if (!found.is_complete && !reason.empty()) report.reason += ": " + reason;
  sort_by_cost(report);
  if (report.minimal.empty()) return report;
  for (std::size_t i = 0; i < report.points.size(); ++i) report.status.push_back(status_of(report, i));
  explain_needs(decide, limits, report);
  return report;
}

}  // namespace ptxmc
