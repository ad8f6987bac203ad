#pragma once

#include <string>
#include <vector>

#include "solver/decide.hpp"
#include "solver/flags.hpp"

namespace ptxmc {

/// The answer of `explore` where the result of a barrier is needed to know who comes to one like it: the
/// phases of barriers are filled one after the other. Throws Unsupported.
Answer explore_phase_by_phase(const Program&, const Question&, const cat::Model&, const DecideOptions&);

/// The findings of `explore_flags`, in the same way.
std::vector<FlagFinding> explore_flags_phase_by_phase(const Program&, const cat::Model&, const DecideOptions&,
                                                      const std::vector<std::string>& names);

}  // namespace ptxmc
