#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace ptxmc::bench {

/// A module of at least so many bytes: the modules of a folder again and again, each time with other names.
/// Empty when the folder has none that fits (one architecture, no debugging information, no functions).
std::string repeated_modules(const std::filesystem::path& folder, std::size_t bytes);

}  // namespace ptxmc::bench
