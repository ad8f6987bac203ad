#pragma once

#include <vector>

#include "model/program/execution.hpp"

namespace ptxmc {

/// The execution restricted to the events that `kept` selects. `numbers` becomes the new number of each
/// event, -1 if it is removed. If one half of a read-modify-write is removed, the other half is no longer
/// part of one.
Execution restriction(const Execution&, const std::vector<bool>& kept, std::vector<EventId>& numbers);

}  // namespace ptxmc
