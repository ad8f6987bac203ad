#pragma once

#include <functional>
#include <vector>

#include "src/kernel/unfolding/checked_launch.hpp"

namespace ptxmc::kernel {

/// Decides properties of a launch whose sizes are known.
using CheckOne =
    std::function<CheckedLaunch(const Launch&, const std::vector<LaunchProperty>&, const DecideOptions&)>;

/// Decides properties of a launch for all sizes that it leaves open: docs/soundness.md, Launches of any size.
/// They are excluded for all sizes, or a finding is shown by `check_one` with the smallest launch that has
/// one. Throws InputError.
CheckedLaunch check_any_size(const Launch&, const std::vector<LaunchProperty>&, const cat::Model&,
                             const DecideOptions&, const CheckOne& check_one);

}  // namespace ptxmc::kernel
