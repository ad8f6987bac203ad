#pragma once

#include <vector>

#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// `allowed`, `forbidden`, `unknown`.
const char* verdict_text(Verdict);

/// The final states in the order of every output: sorted by the values of the terms, in the order in which
/// these are shown.
std::vector<const FinalState*> ordered_states(const Answer&);

}  // namespace ptxmc
