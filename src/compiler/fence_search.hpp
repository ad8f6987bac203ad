#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/compiler/strength_lattice.hpp"

namespace ptxmc {

/// Whether a program with an assignment of levels keeps a property.
enum class Kept : std::uint8_t { no, yes, unknown };

struct FenceSearchLimits {
  std::size_t most_runs = 100'000;
  /// Asked before each run: the reason to stop ("timeout"); empty: continue.
  std::function<std::string()> reason_to_stop = {};
  /// Assignments to begin with, if they are decided sooner than the strongest one.
  std::vector<Assignment> first = {};
  /// A weaker assignment that is decided sooner, and is tried first.
  std::function<Assignment(const Assignment&)> easier = {};
};

/// Decides an assignment.
using DecideLevels = std::function<Kept(const Assignment&)>;

/// The weakest assignments that keep a property.
struct MinimalAssignments {
  /// Each keeps the property, and with any annotation weaker it is lost. No two are comparable. If the result
  /// is not complete, weaker ones than these may keep it too.
  std::vector<Assignment> minimal;
  bool is_complete = false;  ///< `minimal` has all of them
  std::string reason;        ///< why the search is not complete
  std::size_t runs = 0;      ///< how many assignments were tried
};

/// Finds the weakest assignments that keep a property. `decide` must be monotone: an assignment that is
/// stronger than one that keeps the property keeps it too. So an assignment above one that is known to keep
/// it, or below one that is known to lose it, is not tried. Assignments for which `decide` answers `unknown`
/// are not taken for either, and then the result is not complete.
MinimalAssignments find_minimal(const StrengthLattice&, const DecideLevels& decide,
                                const FenceSearchLimits& = {});

}  // namespace ptxmc
