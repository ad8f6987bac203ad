#pragma once

#include <vector>

#include "model/execution.hpp"

namespace ptxmc {

/// The part of an execution that explains what some events do: theirs and their sources' threads, of them
/// what touches the same memory, synchronizes, or is read. `important` becomes the numbers of the same events
/// in the excerpt. Small executions are left whole.
Execution excerpt_of(const Execution&, std::vector<EventId>& important);

}  // namespace ptxmc
