#pragma once

#include <vector>

#include "src/kernel/unfolding/unfolded_launch.hpp"

namespace ptxmc::kernel {

/// The events of a launch, once for each way in which its requests can succeed: each cluster runs, or one
/// request of another cluster of its grid cancels it. A cluster that a request would cancel runs if the
/// request is not made. The structures together have all executions, some of them several times. Throws
/// Unsupported if there are too many of them.
std::vector<EventStructure> cancellation_cases(const UnfoldedLaunch&);

}  // namespace ptxmc::kernel
