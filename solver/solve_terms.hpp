#pragma once

#include <span>
#include <vector>

#include "semantics/bits.hpp"

namespace ptxmc {

/// What Z3 says the terms are when these variables have these values (constants). An approximation has any
/// value within its bound. Throws OutOfTime when the limit of this thread is reached.
std::vector<Bits> solve_terms(std::span<const Bits> terms, std::span<const Bits> variables,
                              std::span<const Bits> values);

}  // namespace ptxmc
