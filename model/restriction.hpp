#pragma once

#include <vector>

#include "model/execution.hpp"

namespace ptxmc {

/// What is left of an execution when only some of its events are kept, by event. `numbers` becomes the new
/// number of each event, -1 when it is left out. A read-modify-write of which one half is left out is none.
Execution restriction(const Execution&, const std::vector<bool>& kept, std::vector<EventId>& numbers);

}  // namespace ptxmc
