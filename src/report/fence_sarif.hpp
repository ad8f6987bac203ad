#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/compiler/fence_report.hpp"
#include "src/compiler/line_edits.hpp"

namespace ptxmc {

/// The part of a log about one test or launch.
struct FenceLog {
  std::string file;  ///< that has the lines: the test or the module
  FenceReport report;
  /// By point of the report, the edits that are offered as a fix: of a wasted annotation those for it alone,
  /// of a missing one all those of the cheapest repair. Empty: none.
  std::vector<std::vector<LineEdit>> fixes;
};

/// A log in the Static Analysis Results Interchange Format 2.1.0 (OASIS), with a result for each annotation
/// that the cheapest assignment changes. Paths of files below the absolute path `folder` are relative to it.
std::string fences_sarif(std::span<const FenceLog>, const std::filesystem::path& folder);

}  // namespace ptxmc
