#pragma once

#include <vector>

#include "model/program/barriers.hpp"

namespace ptxmc {

/// An aligned barrier that not all threads of a warp execute together: PTX ISA 8.7 § 9.7.13.1 and § 9.7.13.3,
/// `.aligned`.
struct Divergence {
  EventId barrier = 0;
  /// Under the condition of the barrier: a thread of the warp executes another aligned barrier in its place;
  /// width 1.
  Bits elsewhere;
  /// The same: a thread of the warp ends on a path without the barrier, and may still be on this path when
  /// the barrier is executed.
  Bits without;
};

/// The divergences of a launch, for each aligned barrier. The n-th aligned barriers that the threads of a
/// warp execute must be the same instruction. With its n-th arrival at one barrier, all threads of a warp
/// must be at the same instruction if that is aligned.
std::vector<Divergence> divergences(const EventStructure&);

}  // namespace ptxmc
