#pragma once

#include <optional>

#include "model/cat_model.hpp"
#include "solver/barrier_schedules.hpp"
#include "solver/known_values.hpp"
#include "solver/launch_findings.hpp"

namespace ptxmc {

/// How far a thread goes when it is its turn.
enum class Turn : std::uint8_t {
  access,  ///< to its next access: reads take what is overwritten soon
  all,     ///< to where it has to wait: others have not begun
};

/// An execution in which the threads of a launch take turns, each read taking what was written last. All
/// orders of the model agree with that of the turns, so that every model of PTX accepts it; such executions
/// show most mistakes of a launch whose events are too many for the solver.
struct Interleaving {
  Witness witness;
  bool has_ended = false;  ///< all threads
  /// What is in memory, by variable, then element; width 0: unknown.
  std::vector<std::vector<Bits>> final_memory;
};

/// Under a schedule of the barriers, with the choices of the model (`with … from orientations`). None where
/// values are needed that the launch leaves open, or a thread wants more iterations than the bound.
std::optional<Interleaving> one_interleaving(const EventStructure&, const BarrierSchedule&, const cat::Model&,
                                             Turn);

/// What it shows of a launch without open inputs; of deadlocks nothing.
std::vector<LaunchFinding> findings_of(const LaunchQuestion&, const EventStructure&, const cat::Model&,
                                       Interleaving);

}  // namespace ptxmc
