#pragma once

#include <functional>

#include "src/kernel/launch.hpp"

namespace ptxmc::kernel {

/// Reads a launch file (TOML; docs/launch-format.md). Throws InputError for everything that is wrong in it,
/// an unknown key included.
Launch read_launch(const std::filesystem::path&);
/// Where a position in the text of a launch is said to be.
using PlaceOf = std::function<LaunchPlace(SourcePosition)>;
/// The same of a text; `module` is relative to `file`.
Launch parse_launch(const std::string& text, const std::filesystem::path& file, const PlaceOf&);

}  // namespace ptxmc::kernel
