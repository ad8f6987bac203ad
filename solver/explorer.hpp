#pragma once

#include "solver/decide.hpp"

namespace ptxmc {

/// Decides a question about a program under a model without a solver: goes through every consistent execution
/// once. The answer is that of `decide`.
/// Throws Unsupported for what only the other engine does: memory of unknown content, models that allow
/// values out of thin air.
Answer explore(const Program&, const Question&, const cat::Model&, const DecideOptions&);

}  // namespace ptxmc
