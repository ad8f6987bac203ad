#pragma once

#include <vector>

#include "model/execution.hpp"

namespace ptxmc {

/// What has happened of an execution at some moment.
struct Prefix {
  Execution execution;
  std::vector<EventId> numbers;  ///< in it, of each event of the whole; -1: it has not happened
};

Prefix whole(const Execution&);

/// Without some events and all that comes after them: later in their threads, reading from them, or behind a
/// barrier that waits for them.
Prefix before(const Execution&, const std::vector<bool>& cut);

}  // namespace ptxmc
