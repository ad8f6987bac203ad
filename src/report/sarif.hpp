#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/report/launch_findings.hpp"
#include "src/report/trace.hpp"

namespace ptxmc {

/// The part of a log about one launch.
struct LaunchFindings {
  /// The steps of the execution behind a finding; empty if it is not shown.
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

/// The traces of the findings, with the steps that explain them; empty for an execution with more than some
/// hundred events.
std::vector<LaunchFindings::Trace> traces_of(const LaunchAnswer&, const std::vector<FindingText>&,
                                             const kernel::SourceLines&);

/// A log in the Static Analysis Results Interchange Format 2.1.0 (OASIS), for code hosts. A finding is at a
/// line of the compiled source if `.loc` gives one, otherwise at a line of the module. Paths of files below
/// the absolute path `folder` are relative to it (`originalUriBaseIds`).
std::string sarif_log(std::span<const LaunchFindings>, const std::filesystem::path& folder);

}  // namespace ptxmc
