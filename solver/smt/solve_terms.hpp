#pragma once

#include <span>
#include <vector>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// The values of terms according to Z3 if the variables have these constant values. An approximation has some
/// value within its bound. Throws OutOfTime when the limit of this thread is reached.
std::vector<Bits> solve_terms(std::span<const Bits> terms, std::span<const Bits> variables,
                              std::span<const Bits> values);

}  // namespace ptxmc
