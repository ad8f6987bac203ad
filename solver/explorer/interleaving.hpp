#pragma once

#include <vector>

#include "solver/explorer/partial_execution.hpp"

namespace ptxmc {

/// For each event its position in an interleaving of the threads in which each read takes the last write
/// before it, as far as such an interleaving exists. Except for orientations, the execution must be complete.
std::vector<std::size_t> interleaving(const PartialExecution&, const BitMatrix& coherence);

}  // namespace ptxmc
