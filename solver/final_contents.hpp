#pragma once

#include <vector>

#include "solver/partial_execution.hpp"

namespace ptxmc {

/// The contents that an element of memory may have at the end of an execution: of each atom those of the
/// writes that no other follows in coherence order; without one, of all its writes. Width 0: it is as it was,
/// and has no initial content.
std::vector<Bits> final_contents(const PartialExecution&, const Variable&, std::size_t element,
                                 const BitMatrix* coherence);

}  // namespace ptxmc
