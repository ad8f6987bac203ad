#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "src/report/refinement_text.hpp"

namespace ptxmc {

/// A log in the Static Analysis Results Interchange Format 2.1.0 (OASIS) with a result for each pair that
/// differs: the execution of the target as a code flow, and the lines of the source that forbid it as related
/// locations. Paths of files below the absolute path `folder` are relative to it.
std::string refinements_sarif(std::span<const RefinementReport* const>, const std::filesystem::path& folder);

}  // namespace ptxmc
