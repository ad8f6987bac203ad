#pragma once

#include <string>

#include "src/library/compared_side.hpp"
#include "src/report/refinement_text.hpp"

namespace ptxmc {

/// A pair that is compared. Its report points into it, so that it stays where it is.
struct ComparedSides {
  ComparedSide source, target;
  ComparedProgram asked_source, asked_target;  ///< they keep what executions point to
  RefinementReport report;

  ComparedSides() = default;
  ComparedSides(const ComparedSides&) = delete;
  ComparedSides& operator=(const ComparedSides&) = delete;
};

/// Compares two sides, which have their models and the names of their observables, and explains the first
/// outcome that the source forbids.
void compare_sides(ComparedSides&, const DecideOptions&, Engine, const RefinementOptions&);

}  // namespace ptxmc
