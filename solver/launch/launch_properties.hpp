#pragma once

#include <optional>

#include "model/cat/cat_model.hpp"
#include "solver/launch/launch_question.hpp"

namespace ptxmc {

/// Decides the properties over all executions of the model within the unfolding. A property without a finding
/// that is not unknown is never violated. Throws Unsupported. A witness that the judge rejects is a
/// std::logic_error.
LaunchAnswer check_launch(const LaunchQuestion&, const cat::Model&, const DecideOptions&, TermGraph&);

/// The same, separately for each schedule of the barriers. It is for launches of many threads whose barriers
/// do not depend on values that are read; empty for others.
std::optional<LaunchAnswer> check_launch_by_schedules(const LaunchQuestion&, const cat::Model&,
                                                      const DecideOptions&, TermGraph&);

/// Whether no execution violates any of the properties, shown for a few threads at a time (few_threads.hpp).
/// False if most of these parts of the launch differ, since a search may take less time then. Throws
/// Unsupported.
bool is_excluded_for_alike_parts(const LaunchQuestion&, const cat::Model&, const DecideOptions&, TermGraph&);

/// The time limit for further questions about a launch once there are findings: a part of the time that is
/// left, in seconds, since leaving a large encoding takes a while, and the findings must be shown. 0: no
/// limit.
double seconds_beside_findings();

}  // namespace ptxmc
