#pragma once

#include <tuple>
#include <vector>

#include "solver/barrier_phases.hpp"

namespace ptxmc {

/// A barrier event that counts for its phase. `barrier.cluster.wait` waits for an arrival made before.
bool arrives(const Event&);

/// A place at which lanes of a warp exchange values, and so wait for each other, where it depends on what is
/// read who comes there. It orders no memory accesses: PTX ISA 8.7 § 9.7.9.6 promises that of no exchange.
struct WarpExchange {
  /// Somebody that it waits for, and when (width 1).
  struct Awaited {
    std::size_t number;  ///< of an exchange that meets it; of a thread that has ended
    Bits when;
  };
  int thread = 0;
  unsigned step = 0;  ///< its place in program order, as Event::step
  Bits condition;     ///< width 1: the thread comes there
  std::vector<Awaited> exchanges, endings;
};

/// (m, n, when): what m stands for has come about before n does: an event of a barrier its arrival. Behind
/// all events come the exits of the threads, then two numbers for each exchange: a lane arrives, and goes on.
using ArrivalOrder = std::vector<std::tuple<EventId, EventId, Bits>>;

/// Width 1: nobody waits for what comes only after he goes on. `phases` says who meets; `order` is that of
/// the phases of each barrier. To it comes that threads are in program order, wait for all of their phase,
/// for exits, and for the lanes that they exchange values with.
Bits arrive_in_order(const EventStructure&, const BarrierPhases&, const std::vector<WarpExchange>&,
                     ArrivalOrder order, TermGraph&);

}  // namespace ptxmc
