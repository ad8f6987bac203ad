#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/smt_engine/explain.hpp"
#include "src/compiler/fence_report.hpp"

namespace ptxmc {

/// The explanation of a decided condition: one of the two members is set.
struct Reasons {
  std::optional<Explanation> forbidden;
  std::optional<FenceReport> allowed;  ///< the repairs
};

/// An event as text: "P1 line 5: ld.weak r1, x (R x=0)".
std::string event_text(const Execution&, EventId);

/// Why an outcome is forbidden: for each axiom the steps of a violation, one line each, with the sections of
/// the manual from the model's text.
std::string explanation_text(const Explanation&, const cat::Model&);

/// The cheapest changes that would forbid an allowed outcome, and the reads of the execution `found` that
/// order nothing.
std::string repairs_text(const FenceReport&, const std::optional<Execution>& found, const cat::Model&);

}  // namespace ptxmc
