#pragma once

#include <vector>

#include "solver/explorer/partial_execution.hpp"

namespace ptxmc {

/// The value of a term in an execution. Throws Unsupported if nothing in the execution determines it, such as
/// that of a register that is read before it is written.
const Bits& known_value(const PartialExecution&, const Bits& term);

/// The possible contents of an element of memory at the end of an execution. For each atom these are the
/// values of the writes that no other write follows in coherence order; without a coherence order, of all its
/// writes. Width 0 if nothing was written and the initial content is unknown.
std::vector<Bits> final_contents(const PartialExecution&, const Variable&, std::size_t element,
                                 const BitMatrix* coherence);

}  // namespace ptxmc
