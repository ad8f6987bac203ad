#pragma once

#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "src/compiler/fence_report.hpp"
#include "src/kernel/module/launch.hpp"

namespace ptxmc {

/// Which annotations in the lines of a module are needed, wasted or missing for a launch.
struct LaunchFences {
  FenceReport report;
  std::string text;  ///< of the module
};

/// The property that is kept: no violation of those properties of `ptxmc check` that can be had, which are
/// all but those that the strongest annotations violate too. A program that violates one of the others is
/// repaired. If the given program has races that the strongest annotations leave, races between the same
/// lines are accepted, and no others. Only annotations that some thread of the launch executes are looked at.
/// A scope is narrowed only if the launch has several CTAs, and never from that of the system.
///
/// Throws InputError and Unsupported. An answer `unknown` about the given program is in the report's
/// `reason`.
LaunchFences fences_of(const kernel::Launch&, const cat::Model&, const DecideOptions&, Engine,
                       const StrengthCosts&, WhatToTry = WhatToTry::nothing);

}  // namespace ptxmc
