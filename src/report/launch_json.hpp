#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/kernel/checked_launch.hpp"
#include "src/report/launch_findings.hpp"

namespace ptxmc {

/// The answer as one JSON object on one line, without the line's end. The keys and their order are stable
/// across versions (docs/users-guide.md): file, entry, model, engine, verdicts, unknown, findings,
/// executions, time_s.
std::string launch_json(const kernel::CheckedLaunch&, const std::vector<FindingText>&,
                        const std::string& model);

/// What a launch has, for a log of many.
struct LaunchFindings {
  std::string module;
  std::vector<FindingText> findings;
};

/// A log in the Static Analysis Results Interchange Format 2.1.0 (OASIS), as code hosts read it. Findings are
/// at lines of the compiled source where `.loc` gives them, else at lines of the module.
std::string sarif_log(std::span<const LaunchFindings>);

}  // namespace ptxmc
