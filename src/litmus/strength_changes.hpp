#pragma once

#include <vector>

#include "src/litmus/strengthening.hpp"

namespace ptxmc {

/// All that could be changed, weaker changes first among those of a place.
std::vector<Strengthening> possible_strengthenings(const Program&);

/// The program with these changes, at most one replacement and one insertion at each instruction.
Program with_changes(const Program&, const std::vector<const Strengthening*>&);

}  // namespace ptxmc
