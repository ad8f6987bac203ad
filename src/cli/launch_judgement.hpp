#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/cli/exit_status.hpp"
#include "src/kernel/checked_launch.hpp"

namespace ptxmc {

/// The verdicts of a launch, as launch files name them: what is violated, or "safe"; none: nothing is known.
std::vector<std::string> verdicts_of(const kernel::CheckedLaunch&);

/// Whether what was found is what the launch file expects of the properties asked for; none when it expects
/// nothing, or when what is unknown decides.
std::optional<bool> as_expected(const kernel::CheckedLaunch&, const std::vector<LaunchProperty>& asked);

/// What the answer says to the shell: as expected, or safe where nothing is expected.
ExitStatus exit_status_of(const kernel::CheckedLaunch&, const std::vector<LaunchProperty>& asked);

}  // namespace ptxmc
