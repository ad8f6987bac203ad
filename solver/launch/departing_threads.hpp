#pragma once

#include <optional>
#include <span>

#include "model/cat/cat_model.hpp"
#include "solver/launch/launch_question.hpp"
#include "solver/meetings/departures.hpp"

namespace ptxmc {

/// What happens with properties that are open under a schedule of the barriers.
enum class UnderSchedules {
  search,     ///< the solver searches among the executions
  no_search,  ///< only some executions are examined, in which the threads take turns
};

/// `check_launch_by_schedules` for a launch in which threads leave groups, without the departures among its
/// events. Also empty if this answer need not be that of the launch.
std::optional<LaunchAnswer> check_launch_by_schedules(const LaunchQuestion&, std::span<const Departure>,
                                                      const cat::Model&, const DecideOptions&, TermGraph&,
                                                      UnderSchedules);

}  // namespace ptxmc
