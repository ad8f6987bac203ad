#pragma once

#include <vector>

#include "src/cli/exit_status.hpp"
#include "src/library/expectations.hpp"

namespace ptxmc {

/// The exit status of a launch: success if the answer is as expected, or safe if the file expects nothing.
ExitStatus exit_status_of(const kernel::CheckedLaunch&, const std::vector<LaunchProperty>& asked);

}  // namespace ptxmc
