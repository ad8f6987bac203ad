#pragma once

#include <bit>
#include <set>
#include <span>
#include <vector>

#include "solver/meetings/barrier_phases.hpp"
#include "solver/meetings/counted_arrival.hpp"
#include "solver/meetings/divergence.hpp"

namespace ptxmc {

/// The phases of those barriers of one meeting (barrier_matching.hpp) that have a thread count. Unknowns
/// choose the arrivals of each phase. In a launch the arrivals of one barrier may have different counts
/// (mixed_counts.hpp); in a litmus test those of one phase have the same count.
class CountedBarriers {
 public:
  /// `names_all`: the events without a count of their own (barrier_counts.hpp). All arguments must outlive
  /// it. Throws Unsupported for barriers of a launch with unknown numbers or counts.
  CountedBarriers(const EventStructure&, TermGraph&, std::span<const EventId> meeting,
                  const std::set<EventId>& names_all, const DivergentBarriers&);

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
  /// The arrivals at one barrier of a launch.
  struct OfBarrier {
    std::size_t first, size;
    bool has_one_count;
  };
  void add_arrivals_of_threads();
  void add_arrivals_of_warps(const DivergentBarriers&);
  void add_arrivals_of_warp(std::size_t warp, const std::vector<int>& threads,
                            std::span<const std::size_t> barrier, const DivergentBarriers&);
  void add_count(std::size_t place, const Bits& holds, CountedArrival&) const;
  Bits diverges(const CountedArrival&, const DivergentBarriers&) const;
  void assign(std::size_t place, std::vector<Bits>& phase, BarrierPhases&) const;
  void constrain_count(const CountedArrival&, std::span<const Bits> arrived, BarrierPhases&) const;
  void constrain_order(const CountedArrival&, BarrierPhases&) const;
  std::vector<std::vector<int>> warps_of_cta() const;

  const EventStructure& structure_;
  TermGraph& graph_;
  const std::span<const EventId> meeting_;
  const std::set<EventId>& names_all_;
  std::vector<CountedArrival> arrivals_;
  std::vector<OfBarrier> of_barriers_;  // empty in a litmus test
};

}  // namespace ptxmc
