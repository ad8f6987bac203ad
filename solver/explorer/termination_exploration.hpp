#pragma once

#include "solver/smt_engine/termination.hpp"

namespace ptxmc {

/// Decides the question of `decide_termination` without a solver: enumerates the consistent executions whose
/// threads end in any way, up to the first in which a thread never ends. Throws Unsupported for programs that
/// only the SMT engine decides: memory of unknown content, models that allow values out of thin air.
Termination explore_termination(const Program&, const cat::Model&, const DecideOptions&, const Progress&);

}  // namespace ptxmc
