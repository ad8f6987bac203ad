#pragma once

#include "src/kernel/launch.hpp"

namespace ptxmc::kernel {

/// Reads a launch file (TOML; docs/launch-format.md). Throws InputError for everything that is wrong in it,
/// an unknown key included.
Launch read_launch(const std::filesystem::path&);
/// The same of a text; `file` is where errors are said to be, and what `module` is relative to.
Launch parse_launch(const std::string& text, const std::filesystem::path& file);

}  // namespace ptxmc::kernel
