#include "src/compiler/fence_report.hpp"

#include <algorithm>
#include <map>
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

bool is_sc(const StrengthPoint& point, std::size_t level) {
  return point.levels[level].strength.ordering == Ordering::sc;
}

Assignment with(Assignment assignment, std::size_t point, std::uint8_t level) {
  assignment[point] = level;
  return assignment;
}

/// Assignments, and whether they keep the property.
using Answers = std::map<Assignment, bool>;

/// What the report says of its minimal assignments, and of the given program with one annotation weaker.
Answers said_answers(const FenceReport& report) {
  const StrengthLattice lattice = lattice_of(report.points);
  Assignment given;
  for (const StrengthPoint& point : report.points) given.push_back(static_cast<std::uint8_t>(point.given));
  Answers said;
  for (const Assignment& minimal : report.minimal) {
    said.emplace(minimal, true);
    for (std::size_t i = 0; i < minimal.size() && report.is_complete; ++i)
      for (const std::uint8_t weaker : lattice[i].just_below(minimal[i]))
        said.emplace(with(minimal, i, weaker), false);
  }
  for (std::size_t i = 0; i < report.status.size() && report.holds; ++i) {
    if (report.status[i] == PointStatus::wasted)
      said.emplace(with(given, i, report.minimal.front()[i]), true);
    if (report.status[i] != PointStatus::needed) continue;
    for (const std::uint8_t weaker : lattice[i].just_below(given[i]))
      said.emplace(with(given, i, weaker), false);
  }
  return said;
}

/// Whether the points have few assignments.
bool are_few(const std::vector<StrengthPoint>& points) {
  constexpr double most = 100'000;
  double all = 1;
  for (const StrengthPoint& point : points) all *= static_cast<double>(point.levels.size());
  return all <= most;
}

/// What a complete report says of every assignment.
Answers every_answer(const FenceReport& report) {
  const StrengthLattice lattice = lattice_of(report.points);
  Answers said;
  Assignment at = weakest(lattice);
  for (std::size_t i = 0; report.is_complete && i < at.size();) {
    said.emplace(at, std::ranges::any_of(report.minimal, [&](const Assignment& minimal) {
                   return is_weaker_or_equal(lattice, minimal, at);
                 }));
    for (i = 0; i < at.size() && ++at[i] == lattice[i].size(); ++i) at[i] = 0;
  }
  return said;
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

Assignment without_sc(const std::vector<StrengthPoint>& points, const Assignment& assignment) {
  const StrengthLattice lattice = lattice_of(points);
  Assignment result = assignment;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::uint8_t level = 0; level < assignment[i] && is_sc(points[i], assignment[i]); ++level)
      if (!is_sc(points[i], level) && lattice[i].is_weaker_or_equal(level, assignment[i])) result[i] = level;
  return result;
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
  if (!holds) begun.first.push_back(without_sc(report.points, strongest(lattice_of(report.points))));
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

FenceTrials try_answers(const FenceReport& report, WhatToTry what, const DecideAssignment& decide) {
  constexpr std::size_t most_undecided = 16;  // then no time is left
  const bool is_all = what == WhatToTry::all && are_few(report.points);
  FenceTrials trials;
  for (const auto& [assignment, is_kept] : is_all ? every_answer(report) : said_answers(report)) {
    const Kept kept = trials.undecided < most_undecided ? decide(assignment).kept : Kept::unknown;
    if (kept == Kept::unknown)
      ++trials.undecided;
    else if ((kept == Kept::yes) != is_kept)
      ++trials.wrong;
    else
      ++(is_kept ? trials.kept : trials.lost);
  }
  return trials;
}

}  // namespace ptxmc
