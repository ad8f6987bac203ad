#pragma once

#include <span>
#include <vector>

#include "solver/meetings/barrier_order.hpp"
#include "solver/meetings/mbarrier_simulation.hpp"

namespace ptxmc {

/// A thread leaves a group of threads that counts its members: the lowest of the lanes that leave together
/// subtracts their number from a counter, as a release and an acquire. The thread that makes the counter zero
/// may invalidate mbarriers. None of this is among the events: an event without effect is in its place, the
/// end of a wait for no asynchronous operation.
///
/// Or a thread joins such a group: the lowest of the lanes that join together adds their number to the
/// counter, by a relaxed operation. In the events each lane joins alone.
struct Departure {
  EventId event = -1;  ///< of a thread that joins: the read of its addition
  bool joins = false;
  std::uint64_t counter = 0;  ///< the location of the counter, of 4 bytes
  /// Threads of a warp leave together if they are active together and have the same name of the group.
  std::uint64_t name = 0;
  std::vector<std::uint64_t> objects;  ///< the locations of the mbarriers
};

/// Whether the departures have no other effect than to invalidate mbarriers after all operations on them, and
/// it does not matter which threads join together, in every execution that is ordered in this way, with these
/// operations on mbarriers. The proof is in departures.cpp.
bool are_departures_idle(const EventStructure&, std::span<const Departure>, const MbarrierSimulation&,
                         const BarrierOrder&);

/// Whether threads execute nothing behind their departures but further departures. Executions without the
/// departures are then parts of executions with them. Threads that join execute what is among the events.
bool do_departures_end_threads(const EventStructure&, std::span<const Departure>);

}  // namespace ptxmc
