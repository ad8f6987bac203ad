#pragma once

#include <optional>
#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

/// A schedule of the barriers of a launch: by event, the phase of a barrier event; -1: no barrier, or a phase
/// that never completes; last_misused_phase or less: a phase that is misused (BarrierPhase::is_misused).
using BarrierSchedule = std::vector<int>;

/// All schedules, if the barriers at which a thread arrives depend only on the barriers that it has passed
/// before. Arrivals can then be enumerated without a solver (PTX ISA 8.7 § 9.7.13.1, by warp). Empty if
/// barriers depend on values that are read, if threads of a warp diverge, or if there are too many schedules.
/// The events must be unfolded with may_wait_for_ever.
std::optional<std::vector<BarrierSchedule>> barrier_schedules(const EventStructure&);

/// The events under a schedule.
EventStructure under_schedule(const EventStructure&, const BarrierSchedule&);

}  // namespace ptxmc
