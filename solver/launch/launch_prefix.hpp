#pragma once

#include <vector>

#include "model/program/execution.hpp"

namespace ptxmc {

/// A prefix of an execution.
struct Prefix {
  Execution execution;
  /// For each event of the whole execution its number in the prefix; -1: not in it.
  std::vector<EventId> numbers;
};

Prefix whole(const Execution&);

/// The execution without the events in `cut` and without all events after them: later in the same thread,
/// reading from them, or after a barrier that waits for them.
Prefix before(const Execution&, const std::vector<bool>& cut);

}  // namespace ptxmc
