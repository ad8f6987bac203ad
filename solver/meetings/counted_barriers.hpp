#pragma once

#include <bit>
#include <span>
#include <vector>

#include "solver/meetings/barrier_phases.hpp"
#include "solver/meetings/divergence.hpp"

namespace ptxmc {

/// The n-th arrival of a unit at a barrier with a thread count: PTX ISA 8.7 § 9.7.13.1. In a litmus test each
/// thread is a unit. In a launch each warp is one: it arrives for the n-th time when all of its threads that
/// have not exited have arrived for the n-th time, and it counts as a full warp.
struct CountedArrival {
  /// An event that may be the arrival of its thread.
  struct Member {
    std::size_t place;                      ///< its index in the meeting
    Bits holds;                             ///< width 1: it happens and is the n-th arrival
    Bits comes_last = Bits::boolean(true);  ///< width 1: no other member comes after it
  };
  /// A thread of the unit that may have exited instead.
  struct Missing {
    int thread;
    Bits when;  ///< width 1
  };
  std::size_t unit = 0;
  std::size_t number = 0;  ///< n; in a litmus test the position of the event
  std::vector<Member> members;
  std::vector<Missing> missing;
  Bits id, count;                     ///< the number of the barrier, its thread count (32 bits)
  Bits waits = Bits::boolean(false);  ///< width 1: some thread of the unit waits
  Bits arrived;                       ///< width 1
  Bits complete, phase;               ///< unknowns: whether its phase is complete, the number of the phase
};

/// The phases of those barriers of one meeting (barrier_matching.hpp) that have a thread count. Unknowns
/// choose the arrivals of each phase.
class CountedBarriers {
 public:
  /// All arguments must outlive it. Throws Unsupported for barriers of a launch with unknown numbers or
  /// counts, and for a barrier with several counts.
  CountedBarriers(const EventStructure&, TermGraph&, std::span<const EventId> meeting,
                  const DivergentBarriers&);

  /// Introduces the unknowns, and sets the number of the phase, by place in the meeting, and whether it is
  /// complete. Leaves barriers without a count unchanged.
  void choose(std::vector<Bits>& phase, BarrierPhases&);
  /// Constrains the choices to be consistent. Call it when the phases of all meetings are chosen.
  void constrain(BarrierPhases&) const;
  /// Whether the arrival of a unit to which an event with a count belongs happens with this event, since the
  /// other threads have arrived before; by place in the meeting, width 1.
  Bits comes_last(std::size_t place) const;

 private:
  const Event& event(std::size_t place) const {
    return structure_.events[static_cast<std::size_t>(meeting_[place])];
  }
  unsigned phase_width() const { return static_cast<unsigned>(std::bit_width(arrivals_.size())) + 1; }
  void add_arrivals_of_threads();
  void add_arrivals_of_warps(const DivergentBarriers&);
  void add_arrivals_of_warp(std::size_t warp, const std::vector<int>& threads,
                            std::span<const std::size_t> barrier, const DivergentBarriers&);
  Bits diverges(const CountedArrival&, const DivergentBarriers&) const;
  void assign(std::size_t place, std::vector<Bits>& phase, BarrierPhases&) const;
  void constrain(const CountedArrival&, std::span<const Bits> arrived, BarrierPhases&) const;

  const EventStructure& structure_;
  TermGraph& graph_;
  const std::span<const EventId> meeting_;
  std::vector<CountedArrival> arrivals_;
};

}  // namespace ptxmc
