#pragma once

#include <string>
#include <vector>

#include "src/kernel/unfolded_launch.hpp"

namespace ptxmc::kernel {

/// Variables of the module (by name, as `--variable` takes it) of which the execution behind a finding reads
/// the 0 that they hold by default: PTX ISA 8.7 § 5.4.4. The finding is one of this launch and unfolding.
std::vector<std::string> assumed_zero(const Launch&, const UnfoldedLaunch&, const LaunchFinding&);

/// Those of which some execution may read it: of the reads that program order and barriers alone do not put
/// behind a write of all of their bytes.
std::vector<std::string> assumed_zero(const UnfoldedLaunch&);

}  // namespace ptxmc::kernel
