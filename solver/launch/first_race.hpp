#pragma once

#include <optional>

#include "solver/meetings/barrier_schedules.hpp"

namespace ptxmc {

/// A subset of the events of a launch, with the schedule of its barriers.
struct LaunchPart {
  EventStructure structure;
  BarrierSchedule schedule;
};

/// The earliest two accesses that may conflict and that barriers do not order, with all events before one of
/// them; empty if barriers order all conflicting accesses. These events do not depend on the others, so each
/// execution of the part is a prefix of executions of the launch, and its races are races of the launch.
std::optional<LaunchPart> up_to_first_race(const EventStructure&, const BarrierSchedule&);

}  // namespace ptxmc
