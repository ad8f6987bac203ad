#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "solver/encoding/witness.hpp"
#include "solver/launch/turns.hpp"

namespace ptxmc {

/// An execution in which the threads of a launch take turns and each read takes the last write. Such
/// executions show most errors of a launch that has too many events for the solver.
struct Interleaving {
  Witness witness;                   ///< without the choices of a model
  std::vector<std::size_t> moments;  ///< by event of the witness: its position in time
  bool has_ended = false;            ///< all threads have ended
  bool is_stuck = false;             ///< some threads wait for ever, and the others have ended
  /// It ends at an undefined use of an mbarrier object, whose instruction is the last one of its thread.
  bool is_undefined = false;
  /// The content of memory, by variable and element; width 0: unknown.
  std::vector<std::vector<Bits>> final_memory;
};

/// Makes an interleaving under a schedule of the barriers; empty if it cannot be made: see take_turns.
std::optional<Interleaving> interleaving_in_turns(const EventStructure&, const BarrierSchedule&,
                                                  const AwaitedPolls&, const ChosenInputs&, Turn,
                                                  const std::set<EventId>& held = {});

/// The events of the structure that happen first in a race of the interleaving. If each of them is held back,
/// the other access happens first in many races, which shows what goes wrong because of them.
std::set<EventId> first_of_races(const Interleaving&);

/// The turns of the threads of a launch whose phases of mbarriers are not known, and the schedule of its
/// barriers. A thread continues after a wait when the wait is over.
struct TurnsWithWaits {
  TakenTurns turns;
  BarrierSchedule schedule;
};
/// Empty if the barriers have several schedules, or if the turns cannot be taken: see take_turns.
std::optional<TurnsWithWaits> take_turns_with_waits(const MbarrierWaits&, const ChosenInputs&, Turn);

/// Makes an interleaving of a launch whose phases of mbarriers are not known. A thread continues after a wait
/// when the wait is over in the interleaving. If an operation on an mbarrier is undefined, the execution ends
/// with it. Empty also if the barriers have several schedules. Also returns the events under the schedule of
/// the barriers.
std::optional<std::pair<EventStructure, Interleaving>> interleaving_of_waits(const EventStructure&,
                                                                             const MbarrierWaits&,
                                                                             const ChosenInputs&, Turn);

}  // namespace ptxmc
