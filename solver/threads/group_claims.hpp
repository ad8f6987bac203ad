#pragma once

#include "solver/threads/open_counters.hpp"

namespace ptxmc {

/// Assumes what an exchange tells all lanes of a group: the value that one of them has read when it has added
/// to a counter for the group. All exchanges must be uniform.
void assume_claims(OpenQuestions&, const std::vector<Counter>&);

}  // namespace ptxmc
