#pragma once

#include "solver/termination.hpp"

namespace ptxmc {

/// Decides the question of `decide_termination` without a solver: goes through the consistent executions
/// whose threads end in any way, up to the first in which one never ends. Throws Unsupported for what only
/// the other engine does: memory of unknown content, models that allow values out of thin air.
Termination explore_termination(const Program&, const cat::Model&, const DecideOptions&, const Progress&);

}  // namespace ptxmc
