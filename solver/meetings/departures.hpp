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
struct Departure {
  EventId event = -1;
  std::uint64_t counter = 0;  ///< the location of the counter, of 4 bytes
  /// Threads of a warp leave together if they are active together and have the same name of the group.
  std::uint64_t name = 0;
  std::vector<std::uint64_t> objects;  ///< the locations of the mbarriers
};

/// Whether the departures have no other effect than to invalidate mbarriers after all operations on them, in
/// every execution that is ordered in this way, with these operations on mbarriers. The proof is in
/// departures.cpp.
bool are_departures_idle(const EventStructure&, std::span<const Departure>, const MbarrierSimulation&,
                         const BarrierOrder&);

/// Whether threads execute nothing behind their departures but further departures. Executions without the
/// departures are then parts of executions with them.
bool do_departures_end_threads(const EventStructure&, std::span<const Departure>);

}  // namespace ptxmc
