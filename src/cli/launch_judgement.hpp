#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/cli/exit_status.hpp"
#include "src/kernel/unfolding/checked_launch.hpp"

namespace ptxmc {

/// The verdicts of a launch by their names in launch files: the violated properties, or "safe". Empty if
/// nothing is known.
std::vector<std::string> verdicts_of(const kernel::CheckedLaunch&);

/// Whether the findings agree with the launch file's expectation for the properties in `asked`. Empty if the
/// file expects nothing, or if the result depends on a property that is unknown.
std::optional<bool> as_expected(const kernel::CheckedLaunch&, const std::vector<LaunchProperty>& asked);

/// The exit status of a launch: success if the answer is as expected, or safe if the file expects nothing.
ExitStatus exit_status_of(const kernel::CheckedLaunch&, const std::vector<LaunchProperty>& asked);

}  // namespace ptxmc
