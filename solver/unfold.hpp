#pragma once

#include <vector>

#include "model/event.hpp"

namespace ptxmc {

class PossibleInputs;

struct UnfoldOptions {
  unsigned bound = 2;  ///< how often a back edge is taken while the condition to take it is open
  std::size_t max_events = 20'000;
  std::size_t max_steps = 5'000'000;  ///< instructions of one thread
  /// Threads may wait at barriers for ever: endings `waiting`, and Event::goes_on.
  bool may_wait_for_ever = false;
  /// A thread that traps goes on as if it had not, besides having the ending `trapped`.
  bool traps_go_on = false;
  /// An iteration only waits also when it writes back atomically what it has read (`atom.exch` on a lock that
  /// is taken): without it others read the same from where it read. `unfold` does so only where that is exact
  /// (idle_updates.hpp); of a launch it is exact where such a write races with nothing.
  bool unchanged_is_idle = false;
  /// What is open besides what threads read; none: nothing.
  PossibleInputs* inputs = nullptr;
  /// By thread: under which condition (width 1) it is scheduled at all; empty: always.
  std::vector<Bits> started;
  /// By thread: registers that the final state shows. The others are dead at the end.
  std::vector<std::vector<RegisterId>> observed;
};

/// Runs every thread on its own with reads that return unknowns, and records what it does as events
/// under conditions. Paths that part are merged where they meet again.
///
/// A loop whose trip count does not depend on reads is followed to its end. An iteration that writes
/// nothing, meets no barrier and returns to the same live state ends its thread as `spinning`:
/// leaving it out loses no final state, since an execution of PTX stays consistent without reads that
/// nothing depends on. Throws Unsupported beyond the limits.
EventStructure unfold(const Program&, TermGraph&, const UnfoldOptions&);

}  // namespace ptxmc
