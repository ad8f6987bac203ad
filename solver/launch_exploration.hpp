#pragma once

#include "solver/launch_properties.hpp"

namespace ptxmc {

/// Decides the question of `check_launch` without a solver: goes through every consistent execution of the
/// launch, with threads that end in any way, and looks at each for all that can go wrong. The answer is that
/// of `check_launch`; it comes with the number of executions. Throws Unsupported for what only the other
/// engine does: inputs and values that the launch leaves open, models that allow values out of thin air, very
/// many events.
LaunchAnswer explore_launch(const LaunchQuestion&, const cat::Model&, const DecideOptions&, TermGraph&);

}  // namespace ptxmc
