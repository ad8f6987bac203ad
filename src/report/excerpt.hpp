#pragma once

#include <vector>

#include "model/program/execution.hpp"

namespace ptxmc {

/// The part of an execution that explains some important events: from the threads of these events and of
/// their sources, the events that access the same memory, that synchronize, or that are read. `important`
/// becomes the numbers of the same events in the excerpt. A small execution is returned whole.
Execution excerpt_of(const Execution&, std::vector<EventId>& important);

}  // namespace ptxmc
