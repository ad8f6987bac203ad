#pragma once

#include <vector>

#include "solver/decide.hpp"

namespace ptxmc {

/// `allowed`, `forbidden`, `unknown`.
const char* verdict_text(Verdict);

/// The final states in the order in which every form shows them: by their values, the first shown first.
std::vector<const FinalState*> ordered_states(const Answer&);

}  // namespace ptxmc
