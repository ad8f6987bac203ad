#pragma once

#include <optional>
#include <vector>

#include "model/event.hpp"

namespace ptxmc {

/// One way in which the barriers of a launch are passed: by event, the phase that a barrier event belongs to;
/// -1: it is no barrier, or never complete.
using BarrierSchedule = std::vector<int>;

/// All of them, where which barriers a thread comes to depends on nothing but which it has passed before:
/// then arrivals can be tried out without a solver (PTX ISA 8.7 § 9.7.13.1, by warp). None where it depends
/// on what is read, where threads of a warp diverge, or where there are very many ways. The events are
/// unfolded so that threads may wait for ever.
std::optional<std::vector<BarrierSchedule>> barrier_schedules(const EventStructure&);

/// The events when barriers are passed in this way.
EventStructure under_schedule(const EventStructure&, const BarrierSchedule&);

}  // namespace ptxmc
