#pragma once

#include <optional>
#include <utility>

#include "model/cat/cat_model.hpp"
#include "solver/algebra/known_values.hpp"
#include "solver/launch/chosen_inputs.hpp"
#include "solver/launch/launch_findings.hpp"
#include "solver/meetings/barrier_schedules.hpp"
#include "solver/meetings/mbarrier_waits.hpp"

namespace ptxmc {

/// How far a thread runs in its turn.
enum class Turn : std::uint8_t {
  access,  ///< to its next access, so that reads take values that are soon overwritten
  all,     ///< until it has to wait, so that other threads have not started
};

/// An execution in which the threads of a launch take turns and each read takes the last write. All orders of
/// the model agree with the order of the turns, so every model of PTX accepts it. Such executions show most
/// errors of a launch that has too many events for the solver.
struct Interleaving {
  Witness witness;
  bool is_whole = true;  ///< the witness has all events; otherwise only the first ones, and shows races alone
  bool has_ended = false;  ///< all threads have ended
  bool is_stuck = false;   ///< some threads wait for ever, and the others have ended
  /// The content of memory, by variable and element; width 0: unknown.
  std::vector<std::vector<Bits>> final_memory;
};

/// Makes an interleaving under a schedule of the barriers, with the choices of the model (`with … from
/// orientations`). Empty if it needs other unknown values than those of inputs, or if a thread needs more
/// iterations than the bound.
std::optional<Interleaving> interleaving_in_turns(const EventStructure&, const BarrierSchedule&,
                                                  const AwaitedPolls&, const ChosenInputs&, const cat::Model&,
                                                  Turn);

/// Makes an interleaving of a launch whose phases of mbarriers are not known. A thread continues after a wait
/// when the wait is over in the interleaving. Empty also if the barriers have several schedules, or if an
/// operation on an mbarrier is undefined. Also returns the events under the schedule of the barriers.
std::optional<std::pair<EventStructure, Interleaving>> interleaving_of_waits(const EventStructure&,
                                                                             const MbarrierWaits&,
                                                                             const ChosenInputs&,
                                                                             const cat::Model&, Turn);

/// The findings of an interleaving.
std::vector<LaunchFinding> findings_of(const LaunchQuestion&, const EventStructure&, const cat::Model&,
                                       Interleaving);

}  // namespace ptxmc
