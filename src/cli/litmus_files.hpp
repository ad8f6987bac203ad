#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ptxmc {

/// The files named (`-`: standard input), and all `.litmus` files below the folders named, those of a folder
/// in order. Throws InputError for a path that does not exist and a folder without tests.
std::vector<std::filesystem::path> find_litmus_files(const std::vector<std::string>& paths);

}  // namespace ptxmc
