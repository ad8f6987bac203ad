#pragma once

#include <optional>
#include <set>
#include <vector>

#include "solver/algebra/known_values.hpp"
#include "solver/launch/chosen_inputs.hpp"
#include "solver/meetings/barrier_schedules.hpp"
#include "solver/meetings/mbarrier_waits.hpp"

namespace ptxmc {

/// How far a thread runs in its turn.
enum class Turn : std::uint8_t {
  access,  ///< to its next access, so that reads take values that are soon overwritten
  all,     ///< until it has to wait, so that other threads have not started
  /// … or has arrived at an mbarrier, and then the first thread that can continue has the next turn. So a
  /// wait ends as soon as it can, before threads that come later do what it should have waited for. But a
  /// thread that has invalidated an object lets the later threads continue first, which may still poll it.
  first,
};

/// What happens when the threads of a launch take turns and each read takes the last write.
struct TakenTurns {
  Substitution values;              ///< of all unknowns that have one
  std::vector<ReadsFrom> sources;   ///< over events of the structure
  std::vector<std::size_t> moment;  ///< by event: its position in time; 0: it has not happened
  bool has_ended = false;           ///< all threads have ended
  bool is_stuck = false;            ///< some threads wait for ever, and the others have ended
  /// The content of memory, by variable and element; width 0: unknown.
  std::vector<std::vector<Bits>> final_memory;
  /// The steps at which threads wait for other threads that do not arrive, without those whose warp needs
  /// such a thread. If there are some, the rest is not known.
  std::vector<EventId> blocked = {};
  /// What follows this event is undefined: an operation on memory that holds no mbarrier object (PTX ISA 8.7
  /// § 9.7.13.15.9), at which the execution stops when the whole instruction has been executed; or the last
  /// event of a thread that ends with an undefined use, if other threads wait for ever.
  std::optional<EventId> undefined_use = {};
};

/// Lets the threads take turns under a schedule of the barriers. A thread whose read would begin a wait in a
/// loop waits before the read, and one before an event of `held` until no other thread can continue. Memory
/// of unknown content that is no input holds zeros, also after `mbarrier.inval`. Empty if that needs other
/// unknown values, or if a thread needs more iterations than the bound.
std::optional<TakenTurns> take_turns(const EventStructure&, const BarrierSchedule&, const AwaitedPolls&,
                                     const ChosenInputs&, Turn, const std::set<EventId>& held = {});

}  // namespace ptxmc
