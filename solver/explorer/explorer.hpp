#pragma once

#include <string>
#include <vector>

#include "solver/smt_engine/answers.hpp"
#include "solver/smt_engine/flags.hpp"

namespace ptxmc {

/// Decides a question about a program under a model without a solver: enumerates every consistent execution
/// once. The answer is that of `decide`. Throws Unsupported for programs that only the SMT engine decides:
/// memory of unknown content, models that allow values out of thin air.
Answer explore(const Program&, const Question&, const cat::Model&, const DecideOptions&);

/// Gives the findings of `find_flags` in the same way.
std::vector<FlagFinding> explore_flags(const Program&, const cat::Model&, const DecideOptions&,
                                       const std::vector<std::string>& names);

}  // namespace ptxmc
