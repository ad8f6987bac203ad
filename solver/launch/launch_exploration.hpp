#pragma once

#include "solver/launch/launch_question.hpp"

namespace ptxmc {

/// Decides the question of `check_launch` without a solver: enumerates every consistent execution of the
/// launch, with threads that end in any way, and evaluates every property on it. The answer is that of
/// `check_launch`, with the number of executions. Throws Unsupported for launches that only the SMT engine
/// decides: open inputs and values, models that allow values out of thin air, very many events.
LaunchAnswer explore_launch(const LaunchQuestion&, const cat::Model&, const DecideOptions&, TermGraph&);

}  // namespace ptxmc
