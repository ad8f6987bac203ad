#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ptxmc {

/// The files in `paths` (`-`: standard input), and all `.litmus` files below the folders in `paths`, sorted
/// within a folder. Throws InputError for a path that does not exist and a folder without tests.
std::vector<std::filesystem::path> find_litmus_files(const std::vector<std::string>& paths);

}  // namespace ptxmc
