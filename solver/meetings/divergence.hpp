#pragma once

#include <vector>

#include "model/program/barriers.hpp"

namespace ptxmc {

/// An aligned barrier that not all threads of a warp execute together, or a barrier that is not aligned beside
/// such a one: PTX ISA 8.7 § 9.7.13.1 and § 9.7.13.3, `.aligned`. The threads at both never continue.
struct Divergence {
  EventId barrier = 0;
  /// Under the condition of the barrier: a thread of the warp executes another barrier in its place, and one
  /// of the two is aligned; width 1.
  Bits elsewhere;
  /// The same: a thread of the warp ends on a path without the barrier, and may still be on this path when
  /// the barrier is executed.
  Bits without;
};

/// The divergences of a launch, for each barrier. The n-th aligned barriers that the threads of a
/// warp execute must be the same instruction. With its n-th arrival at one barrier, all threads of a warp
/// must be at the same instruction if that is aligned.
std::vector<Divergence> divergences(const EventStructure&);

}  // namespace ptxmc
