#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/barriers.hpp"
#include "model/execution.hpp"

namespace ptxmc {

/// An aligned barrier that not all threads of a warp execute together: PTX ISA 8.7 § 9.7.13.1 and § 9.7.13.3,
/// `.aligned`.
struct Divergence {
  EventId barrier = 0;
  /// Width 1, with that of the barrier: a thread of the warp executes another aligned barrier in its place.
  Bits elsewhere;
  /// The same: a thread of the warp ends on a path without it, which it may still be on when the barrier is
  /// executed.
  Bits without;
};

/// For each aligned barrier in a launch. The n-th aligned barriers that the threads of a warp execute are to
/// be the same instruction; and with its n-th arrival at one barrier a warp is to be at that instruction
/// alone, if it is aligned.
std::vector<Divergence> divergences(const EventStructure&);

/// A warp may not arrive at a barrier of the CTA with threads at these two instructions: one of them is
/// aligned, the other one is not.
bool are_mixed_in_alignment(const Event&, const Event&);

/// Where a thread of the warp is instead.
struct Elsewhere {
  int thread = 0;
  EventId barrier = -1;  ///< its aligned barrier in place of it; -1: it has exited
};

/// In an execution, a thread of the warp that is not at an aligned barrier with the others.
std::optional<Elsewhere> who_diverges(const Execution&, EventId barrier,
                                      const std::function<bool(int thread)>& has_exited);

/// The events are the same instruction in the source, whichever thread or call executes them.
bool are_one_instruction(const Event&, const Event&);

}  // namespace ptxmc
