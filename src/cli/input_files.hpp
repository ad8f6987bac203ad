#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ptxmc {

/// Whether a file in a folder is a litmus test (`.litmus`, `.test`) or a launch file (`.toml`), by its name.
bool is_litmus_file(const std::filesystem::path&);
bool is_launch_file(const std::filesystem::path&);

/// The paths of files in `paths` (`-`: standard input) as they are, and for each folder all files below it
/// that are wanted, sorted by path. A path that does not exist and a folder without such files are in the
/// list too: reading them is an error.
std::vector<std::filesystem::path> find_input_files(const std::vector<std::string>& paths,
                                                    bool (*is_wanted)(const std::filesystem::path&));

/// Litmus tests: find_input_files with is_litmus_file.
std::vector<std::filesystem::path> find_litmus_files(const std::vector<std::string>& paths);

/// Launch files: find_input_files with is_launch_file.
std::vector<std::string> find_launch_files(const std::vector<std::string>& paths);

}  // namespace ptxmc
