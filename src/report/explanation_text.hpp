#pragma once

#include <string>

#include "solver/explain.hpp"

namespace ptxmc {

/// Why an outcome is forbidden: for each axiom the steps that would have to hold at once, a line each.
std::string explanation_text(const Explanation&);

}  // namespace ptxmc
