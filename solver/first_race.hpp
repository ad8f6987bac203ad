#pragma once

#include <optional>

#include "solver/barrier_schedules.hpp"

namespace ptxmc {

/// Some events of a launch, with the way in which its barriers are passed.
struct LaunchPart {
  EventStructure structure;
  BarrierSchedule schedule;
};

/// Two accesses that may conflict and that barriers do not order, as early as there are any, and all that
/// comes before one of them; none where barriers order everything. Nothing in it needs what is left out, so
/// each of its executions is a prefix of executions of the launch: what races in it races in the launch.
std::optional<LaunchPart> up_to_first_race(const EventStructure&, const BarrierSchedule&);

}  // namespace ptxmc
