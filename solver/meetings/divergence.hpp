#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/program/barriers.hpp"
#include "model/program/execution.hpp"

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

/// Whether a warp must not arrive at a barrier of the CTA with threads at both instructions, since one of
/// them is aligned and the other is not.
bool are_mixed_in_alignment(const Event&, const Event&);

/// The position of a thread of the warp that is not at the barrier.
struct Elsewhere {
  int thread = 0;
  EventId barrier = -1;  ///< its aligned barrier; -1: it has exited
};

/// A thread of the warp that is not at an aligned barrier together with the others, in an execution.
std::optional<Elsewhere> who_diverges(const Execution&, EventId barrier,
                                      const std::function<bool(int thread)>& has_exited);

/// Whether the events belong to the same instruction of the source, in any threads and calls.
bool are_one_instruction(const Event&, const Event&);

}  // namespace ptxmc
