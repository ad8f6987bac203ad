#pragma once

#include <string>
#include <vector>

#include "src/kernel/unfolding/unfolded_launch.hpp"

namespace ptxmc::kernel {

/// The variables of the module, by their names for `--variable`, whose default value 0 (PTX ISA 8.7 § 5.4.4)
/// the execution behind a finding reads. The finding must belong to this launch and unfolding.
std::vector<std::string> assumed_zero(const Launch&, const UnfoldedLaunch&, const LaunchFinding&);

/// The variables whose default value some execution may read. A read does not count if program order and
/// barriers place it after a write of all of its bytes.
std::vector<std::string> assumed_zero(const UnfoldedLaunch&);

}  // namespace ptxmc::kernel
