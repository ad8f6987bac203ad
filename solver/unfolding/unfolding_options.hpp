#pragma once

#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

class PossibleInputs;

/// How far threads are unfolded, and in which ways they may end.
struct UnfoldOptions {
  unsigned bound = 2;  ///< the maximum number of times that a back edge is taken while its condition is open
  /// More events are not recorded: TooManyEvents is thrown. 0: see most_unfolded_events.
  std::size_t max_events = 0;
  std::size_t max_steps = 5'000'000;  ///< the maximum number of instructions of one thread
  /// Threads may wait for ever at barriers: there are endings `waiting`, and Event::goes_on is used.
  bool may_wait_for_ever = false;
  /// A misuse of a barrier by one thread ends the thread, with the ending `undefined`. Kernels always end so.
  bool misuse_ends_thread = false;
  /// A thread continues after a trap, in addition to having the ending `trapped`.
  bool traps_go_on = false;
  /// An iteration that atomically writes back the value that it has read (`atom.exch` on a lock that is
  /// taken) counts as one that only waits: without it, other reads take the same value from the write that it
  /// read. `unfold` uses this only if it is exact (idle_updates.hpp). For a launch it is exact if the write
  /// is in no race.
  bool unchanged_is_idle = false;
  /// The unknowns other than results of reads; null if there are none.
  PossibleInputs* inputs = nullptr;
  /// By thread: the condition (width 1) under which it is started; empty: always.
  std::vector<Bits> started;
  /// By thread: the registers that the final state shows. Other registers are dead at the end.
  std::vector<std::vector<RegisterId>> observed;
};

}  // namespace ptxmc
