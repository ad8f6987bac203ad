#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "model/program/execution.hpp"

namespace ptxmc {

/// A prefix of an execution.
struct Prefix {
  Execution execution;
  /// For each event of the whole execution its number in the prefix; -1: not in it.
  std::vector<EventId> numbers;
  /// By thread that does not go to its end in the prefix: its first step that is left out.
  std::map<int, unsigned> ends = {};
};

/// An exchange in an execution. Its thread goes on when the other threads have arrived or exited.
struct ExchangeOfThread {
  int thread = 0;
  unsigned step = 0;                           ///< see Event::step
  std::vector<std::pair<int, unsigned>> with;  ///< other threads, and the steps of their exchanges
  std::vector<int> exited;                     ///< threads that have exited instead
};

Prefix whole(const Execution&);

/// The execution of a launch without the events in `cut` and without all events after them: later in the same
/// thread or asynchronous operation, started later by the thread, reading from them, after a wait for an
/// asynchronous operation with them, or after a barrier or one of the exchanges that waits for them or for
/// the exit of their thread. `stopped`: by thread the first step that it does not execute; it does not exit
/// either.
Prefix before(const Execution&, const std::vector<bool>& cut, const std::map<int, unsigned>& stopped,
              std::span<const ExchangeOfThread> exchanges = {});

/// The smallest such prefix with these events, without the initial writes of memory that it does not access.
Prefix up_to(const Execution&, std::span<const EventId> targets);

}  // namespace ptxmc
