#pragma once

#include <set>

#include "solver/launch/launch_question.hpp"
#include "solver/meetings/barrier_schedules.hpp"

namespace ptxmc {

/// Properties that are proved without relations of the model: no event that would violate them can happen
/// whatever reads return, or barriers order all conflicting accesses, so that each read has one source.
/// `may_reach_bound`: some loop may need more iterations than the bound.
struct LaunchProofs {
  std::set<LaunchProperty> impossible;
  bool may_reach_bound = true;
};

/// Proves properties of a question about these events, whose reads are settled, under a schedule of their
/// barriers. It is sound for models in which causality order constrains reads and writes of one location:
/// those of PTX.
LaunchProofs prove(const LaunchQuestion&, const EventStructure&, const BarrierSchedule&, const DecideOptions&,
                   TermGraph&);

}  // namespace ptxmc
