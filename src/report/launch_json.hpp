#pragma once

#include <string>
#include <vector>

#include "src/kernel/unfolding/checked_launch.hpp"
#include "src/report/launch_findings.hpp"

namespace ptxmc {

/// The answer as one JSON object on one line, without the newline. The keys and their order are stable across
/// versions (docs/users-guide.md): file, entry, model, engine, verdicts, unknown, findings, assumed_zero,
/// executions, time_s.
std::string launch_json(const kernel::CheckedLaunch&, const std::vector<FindingText>&,
                        const std::string& model);

}  // namespace ptxmc
