#pragma once

#include <optional>

#include "model/cat/cat_model.hpp"
#include "solver/launch/launch_question.hpp"
#include "solver/meetings/mbarrier_phases.hpp"

namespace ptxmc {

/// Examines some executions of a launch that is large for the solver, under one schedule of its barriers, and
/// adds their findings to the answer. Returns the question with the properties that are still open. The model
/// must have the axioms of PTX.
LaunchQuestion after_interleavings(LaunchQuestion, const LaunchSchedule&, const cat::Model&,
                                   const DecideOptions&, const TermGraph&, LaunchAnswer&);

/// Examines some executions of a launch whose barriers or phases of mbarriers depend on what threads read,
/// and adds their findings to the answer.
void find_in_turns(LaunchQuestion, const cat::Model&, const DecideOptions&, const TermGraph&, LaunchAnswer&);

}  // namespace ptxmc
