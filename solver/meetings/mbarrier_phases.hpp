#pragma once

#include <optional>
#include <vector>

#include "solver/meetings/barrier_order.hpp"
#include "solver/meetings/departures.hpp"
#include "solver/meetings/mbarrier_waits.hpp"

namespace ptxmc {

/// The events of a launch under one schedule of its barriers and mbarriers.
struct LaunchSchedule {
  EventStructure structure;
  BarrierSchedule schedule;
  AwaitedPolls polls = {};
};

/// All schedules of a launch that has operations on mbarriers, if under each schedule of its barriers every
/// execution has the same phases of mbarriers (PTX ISA 8.7 § 9.7.13.15). Empty if this is not proved. The
/// proof is in mbarrier_phases.cpp.
///
/// In the events of a schedule each wait returns True as soon as it polls, or never. The other executions
/// differ from these in polls that return False. The schedule has numbers for all operations on mbarriers
/// that happen: an update has that of its phase, a poll that returns True, with its success, that of the
/// phase that it waits for, and another poll that of the phase that never completes. `mbarrier.init` and
/// `inval` have the number of a phase before the first one.
///
/// The events must be unfolded with may_wait_for_ever, and their reads settled by program order. The proof is
/// only valid if no other access may change an object (`are_phases_undisturbed`), and in
/// models with the axioms of PTX 8.7.
///
/// Also empty if departures, which are not among the events, may have another effect than
/// `are_departures_idle` says.
std::optional<std::vector<LaunchSchedule>> mbarrier_schedules(const MbarrierWaits&,
                                                              std::span<const Departure> = {});

}  // namespace ptxmc
