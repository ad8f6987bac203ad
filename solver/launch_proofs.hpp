#pragma once

#include <set>

#include "solver/barrier_schedules.hpp"
#include "solver/launch_properties.hpp"

namespace ptxmc {

/// What no execution violates, as can be seen without relations: because nothing that would violate it can
/// happen whatever reads return, or because all accesses that conflict are ordered by barriers, so that each
/// read has one source. `reaches_bound`: some loop may want more iterations than the bound.
struct LaunchProofs {
  std::set<LaunchProperty> impossible;
  bool may_reach_bound = true;
};

/// Of a question about these events, whose reads are settled and whose barriers are passed in this way.
/// Sound for models in which causality orders reads and writes of one place: those of PTX.
LaunchProofs prove(const LaunchQuestion&, const EventStructure&, const BarrierSchedule&, const DecideOptions&,
                   TermGraph&);

}  // namespace ptxmc
