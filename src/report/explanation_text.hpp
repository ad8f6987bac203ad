#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/explain.hpp"
#include "src/litmus/strengthening.hpp"

namespace ptxmc {

/// What there is to say of a decided condition: one of the two.
struct Reasons {
  std::optional<Explanation> forbidden;
  std::optional<Strengthenings> allowed;
};

/// An event in words: "P1 line 5: ld.weak r1, x  (R x=0)".
std::string event_text(const Execution&, EventId);

/// Why an outcome is forbidden: for each axiom the steps that would have to hold at once, a line each, with
/// the sections of the manual that the model's text names.
std::string explanation_text(const Explanation&, const cat::Model&);

/// What would forbid an allowed outcome, and which reads of the execution found order nothing.
std::string strengthenings_text(const Strengthenings&, const Program&, const std::optional<Execution>& found,
                                const cat::Model&);

}  // namespace ptxmc
