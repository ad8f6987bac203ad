#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ptxmc {

/// The files in `paths` (`-`: standard input), and all `.litmus` and `.test` files below the folders in
/// `paths`, sorted within a folder. A path that does not exist and a folder without tests are in the list
/// too: reading them is an error.
std::vector<std::filesystem::path> find_litmus_files(const std::vector<std::string>& paths);

}  // namespace ptxmc
