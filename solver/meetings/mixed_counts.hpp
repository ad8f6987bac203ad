#pragma once

#include <span>
#include <vector>

#include "solver/meetings/barrier_phases.hpp"
#include "solver/meetings/counted_arrival.hpp"

namespace ptxmc {

/// Constrains the phases of one barrier of a launch whose arrivals use different thread counts, or use it
/// with and without one: PTX ISA 8.7 § 9.7.13.1. The rules are those of BarrierPhase, `is_complete` and
/// `is_misused`. An arrival without a count completes a phase of such arrivals as soon as all other warps
/// have arrived or exited. The arrivals that are in no complete phase wait, or some of them misuse their
/// phase.
class MixedCounts {
 public:
  /// `warps`: the threads of each warp of the CTA, by unit of the arrivals; empty for other units. `arrived`:
  /// by arrival, width 1; with the barriers before it. All arguments must outlive it.
  MixedCounts(const EventStructure&, TermGraph&, std::span<const EventId> meeting,
              std::span<const std::vector<int>> warps, std::span<const CountedArrival> arrivals,
              std::span<const Bits> arrived);

  void constrain(BarrierPhases&);

 private:
  /// Some of the arrivals.
  struct Part {
    Bits threads;                 ///< the number of threads that they count as
    Bits names_all, names_count;  ///< width 1: some arrival has no count, has one
    std::vector<Bits> is_here;    ///< by warp, width 1
  };
  Part part(std::span<const Bits> is_in) const;
  Bits has_exited(std::size_t warp) const;
  Bits all_are_here(const Part&) const;
  Bits all_have_come(const Part&) const;
  Bits is_complete(const Part&, const Bits& count) const;
  void constrain_complete(std::size_t own, BarrierPhases&) const;
  void constrain_left(BarrierPhases&);
  void choose_misuse(BarrierPhases&);
  void add_misused(std::span<const Bits> is_misused, BarrierPhases&) const;
  void add_order(std::size_t from, std::size_t to, const Bits& when, BarrierPhases&) const;

  const EventStructure& structure_;
  const std::span<const EventId> meeting_;
  const std::span<const std::vector<int>> warps_;
  const std::span<const CountedArrival> arrivals_;
  std::vector<Bits> left_;  // by arrival: it is in no complete phase
  /// By arrival: unknowns. The arrivals of a phase before its misuse, and the arrival that misuses it.
  std::vector<Bits> is_before_, misuses_;
};

}  // namespace ptxmc
