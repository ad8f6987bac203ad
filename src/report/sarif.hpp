#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/report/launch_findings.hpp"
#include "src/report/trace.hpp"

namespace ptxmc {

/// What a launch has, for a log of many.
struct LaunchFindings {
  /// The steps of the execution behind a finding; none where it is not shown.
  struct Trace {
    struct Step {
      TraceStep step;
      std::optional<kernel::SourceLine> source;  ///< by `.loc`
    };
    std::vector<Step> steps;
  };
  std::string module;
  std::vector<FindingText> findings;
  std::vector<Trace> traces;  ///< by finding
};

/// The traces of what was found; none of an execution with more than some hundred events.
std::vector<LaunchFindings::Trace> traces_of(const LaunchAnswer&, const kernel::SourceLines&);

/// A log in the Static Analysis Results Interchange Format 2.1.0 (OASIS), as code hosts read it. Findings are
/// at lines of the compiled source where `.loc` gives them, else at lines of the module. Files below
/// `folder`, which is absolute, are relative to it (`originalUriBaseIds`).
std::string sarif_log(std::span<const LaunchFindings>, const std::filesystem::path& folder);

}  // namespace ptxmc
