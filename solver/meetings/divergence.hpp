#pragma once

#include <map>
#include <span>
#include <vector>

#include "model/program/barriers.hpp"

namespace ptxmc {

/// An aligned barrier that not all threads of a warp execute together, or a barrier at which threads of a
/// warp execute instructions that exclude each other: PTX ISA 8.7 § 9.7.13.1 and § 9.7.13.3. The threads at
/// both never continue.
struct Divergence {
  EventId barrier = 0;
  /// Under the condition of the barrier: a thread of the warp executes another instruction in its place that
  /// this one excludes; width 1.
  Bits elsewhere;
  /// The same: a thread of the warp ends on a path without the barrier, and may still be on this path when
  /// the barrier is executed.
  Bits without;
  /// The barriers of which `elsewhere` consists.
  struct Other {
    EventId barrier;
    Bits when;  ///< under the condition of the own barrier; width 1
  };
  std::vector<Other> others;
};

/// The divergences of a launch, for each barrier. The n-th aligned barriers that the threads of a
/// warp execute must be the same instruction. With its n-th arrival at one barrier, all threads of a warp
/// must be at the same instruction if that is aligned, and otherwise at the same form of it.
std::vector<Divergence> divergences(const EventStructure&);

/// By event of the structure, Divergence::others. Empty for a litmus test, in which every thread forms a warp
/// by itself.
using DivergentBarriers = std::vector<std::vector<Divergence::Other>>;
DivergentBarriers divergent_barriers_by_event(const EventStructure&);

/// An arrival that may belong to a phase.
struct PhaseMember {
  EventId arrival;
  Bits holds;  ///< width 1
};

/// Whether warps diverge before the phase with these arrivals is complete. The phase waits for the last
/// arrival of a thread, or for its exit if it does not arrive. A divergence that happens only behind the
/// phase does not stop it.
class PhaseDivergence {
 public:
  PhaseDivergence(const EventStructure&, std::span<const PhaseMember>);

  /// Under the condition of a barrier with these Divergence::others: a thread of the warp diverges from it
  /// before the phase is complete; width 1.
  Bits of(std::span<const Divergence::Other>);

 private:
  void exclude_later_arrivals(std::vector<PhaseMember>& of_thread) const;
  Bits stops(EventId barrier) const;

  const EventStructure& structure_;
  std::map<int, std::vector<PhaseMember>> members_;  // by thread
  std::map<EventId, Bits> stops_;  // by the other barrier: it is before the end of the phase
};

}  // namespace ptxmc
