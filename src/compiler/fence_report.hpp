#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/compiler/fence_search.hpp"
#include "src/compiler/strength_points.hpp"

namespace ptxmc {

/// Whether a program with an assignment keeps a property.
struct KeptAnswer {
  Kept kept = Kept::unknown;
  std::string reason;  ///< of unknown
  std::string lost;    ///< of no: the outcome, the race or the wait that comes back
};

using DecideAssignment = std::function<KeptAnswer(const Assignment&)>;

enum class PointStatus : std::uint8_t {
  needed,   ///< at the given level in every minimal assignment
  wasted,   ///< at the given level in none
  either,   ///< at the given level in some, but not in all
  missing,  ///< stronger than given in every minimal assignment
};

/// `needed`, `wasted`, `either`, `missing`.
const char* status_name(PointStatus);

/// Programs that were decided to see that what a report says of them is so.
struct FenceTrials {
  std::size_t kept = 0;       ///< those said to keep the property, that do
  std::size_t lost = 0;       ///< those said to lose it, that do
  std::size_t undecided = 0;  ///< those that the engines cannot decide
  std::size_t wrong = 0;      ///< those of which the report is not right
};

/// Which annotations of a program are needed, wasted or missing for a property.
struct FenceReport {
  bool holds = false;    ///< the given program keeps the property; otherwise the assignments are repairs
  std::string property;  ///< what is kept: "condition", "condition+race", "outcomes", …
  std::string lost;      ///< of a program that loses it: how
  std::vector<StrengthPoint> points;
  std::vector<Assignment> minimal;  ///< cheapest first
  std::vector<int> costs;           ///< of each, relative to the given one
  /// By point; empty if there is no minimal assignment. If not all assignments are known, `either` stands for
  /// what only those that are known need, or lack.
  std::vector<PointStatus> status;
  /// By point, for the cheapest assignment: what comes back if this annotation alone is weaker than there.
  /// Empty if it is at its weakest level.
  std::vector<std::string> needed_because;
  bool is_complete = false;  ///< `minimal` has all minimal assignments
  std::string reason;        ///< why it is not complete
  std::size_t runs = 0;      ///< programs that were decided
  double seconds = 0;
  std::optional<FenceTrials> trials;
};

/// A change of the program at one point, as reports name it.
struct StrengthChange {
  std::size_t point = 0;
  const char* change = "";  ///< "replace by", "insert before", "remove"
  std::string by;           ///< the new instruction; empty: it is removed
};

/// The changes of the given program that an assignment is.
std::vector<StrengthChange> changes_of(const std::vector<StrengthPoint>&, const Assignment&);

/// The names of the levels that a point has in the minimal assignments, weaker ones first.
std::vector<std::string> weakest_levels(const FenceReport&, std::size_t point);

/// For points of a program that keeps the property (`holds`), with weaker levels: what it can do without. For
/// points of another one, with stronger levels: what repairs it.
FenceReport report_fences(std::vector<StrengthPoint>, bool holds, const DecideAssignment&,
                          const FenceSearchLimits&);

/// The strongest weaker levels without `fence.sc`, which is in an order with every other one, so that many
/// take long.
Assignment without_sc(const std::vector<StrengthPoint>&, const Assignment&);

/// Which programs are tried.
enum class WhatToTry : std::uint8_t {
  nothing,
  said,  ///< those about which the report says something
  all,   ///< every assignment, of a complete report
};

/// Decides what the report says: each minimal assignment keeps the property, and with any annotation of it
/// weaker loses it. The given program keeps it with a wasted annotation weaker, and loses it with a needed
/// one weaker. What an incomplete report leaves open is not tried.
FenceTrials try_answers(const FenceReport&, WhatToTry, const DecideAssignment&);

}  // namespace ptxmc
