#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace ptxmc::bench {

/// A module of at least this many bytes: the modules of a folder repeated, each time with other names. Empty
/// if the folder has no suitable module (one architecture, no debugging information, no functions).
std::string repeated_modules(const std::filesystem::path& folder, std::size_t bytes);

}  // namespace ptxmc::bench
