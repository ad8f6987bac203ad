#pragma once

#include "src/kernel/launch.hpp"

namespace ptxmc::kernel {

/// Reads a launch file (TOML; docs/launch-format.md). Throws InputError for everything that is wrong in it,
/// an unknown key included.
Launch read_launch(const std::filesystem::path&);

}  // namespace ptxmc::kernel
