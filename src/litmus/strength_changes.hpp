#pragma once

#include <vector>

#include "src/litmus/strengthening.hpp"

namespace ptxmc {

/// All possible changes; among those of one position, weaker changes come first.
std::vector<Strengthening> possible_strengthenings(const Program&);

/// The program with these changes, at most one replacement and one insertion at each instruction.
Program with_changes(const Program&, const std::vector<const Strengthening*>&);

}  // namespace ptxmc
