#pragma once

#include <set>

#include "model/cat/cat_model.hpp"
#include "solver/encoding/candidate_executions.hpp"
#include "solver/launch/launch_question.hpp"

namespace ptxmc {

/// Decides the properties by a search with Z3 among the executions of these events. If the final condition
/// contains hard arithmetic, it is decided last.
LaunchAnswer decide_launch(const LaunchQuestion&, const SettledCandidates&, const cat::Model&,
                           const DecideOptions&, TermGraph&);

/// The properties of a question that no execution of these events violates. Unlike decide_launch it looks for
/// no violations, so that the events may be those of a part of a launch. It ends within the time limit of
/// this thread; what is not decided then is not excluded.
std::set<LaunchProperty> excluded_properties(const LaunchQuestion&, const SettledCandidates&,
                                             const cat::Model&, const DecideOptions&, TermGraph&);

}  // namespace ptxmc
