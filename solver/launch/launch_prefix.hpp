#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "model/program/execution.hpp"

namespace ptxmc {

/// A prefix of an execution.
struct Prefix {
  Execution execution;
  /// For each event of the whole execution its number in the prefix; -1: not in it.
  std::vector<EventId> numbers;
  /// By thread that waits at a barrier whose phase the prefix leaves incomplete: the step of this barrier.
  std::map<int, unsigned> waits = {};
};

Prefix whole(const Execution&);

/// The execution of a launch without the events in `cut` and without all events after them: later in the same
/// thread or asynchronous operation, started later by the thread, reading from them, after a wait for an
/// asynchronous operation with them, or after a barrier that waits for them or for the exit of their thread.
/// The threads in `stopped` do not exit either.
Prefix before(const Execution&, const std::vector<bool>& cut, const std::set<int>& stopped);

/// The smallest such prefix with these events, without the initial writes of memory that it does not access.
Prefix up_to(const Execution&, std::span<const EventId> targets);

}  // namespace ptxmc
