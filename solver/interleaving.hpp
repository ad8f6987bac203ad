#pragma once

#include <vector>

#include "solver/partial_execution.hpp"

namespace ptxmc {

/// By event: its place in an interleaving of the threads in which reads take the last write before them, as
/// far as there is one. Everything else of the execution is complete.
std::vector<std::size_t> interleaving(const PartialExecution&, const BitMatrix& coherence);

}  // namespace ptxmc
