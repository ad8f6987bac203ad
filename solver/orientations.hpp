#pragma once

#include <functional>

#include "solver/partial_execution.hpp"

namespace ptxmc {

/// Orients the pairs that the model orients, of an execution that is complete otherwise, in all ways that the
/// model accepts; calls `found` for each, as long as `must_stop` says false.
void for_each_orientation(PartialExecution&, const std::function<bool()>& must_stop,
                          const std::function<void()>& found);

}  // namespace ptxmc
