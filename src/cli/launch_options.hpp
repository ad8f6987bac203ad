#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/kernel/module/launch.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// A launch described by flags, in place of a launch file or to override one.
struct LaunchOptions {
  std::string module, entry, dynamic_shared, assumption, final_condition;
  std::optional<std::string> grid, block, cluster;
  std::vector<std::string> parameters, variables;
};

/// Declares the files of a verb about launches.
void add_launch_files(CLI::App&, std::vector<std::string>& paths);

/// Declares `--entry`, the name of a kernel (entry_names.hpp).
void add_entry_option(CLI::App&, std::string& entry);

/// Declares the flags for a launch.
void add_launch_options(CLI::App&, LaunchOptions&);

/// The launches that a file and flags describe: a launch file, or a module (`.ptx`) with a launch made of
/// flags. A folder is an error: find_launch_files has found nothing in it. `--grid 1..4` and `--block 1..64`
/// make one of each size. Throws InputError.
std::vector<kernel::Launch> launches_of(const std::string& file, const LaunchOptions&);

/// The name of a launch among those of the same file: `k.toml`, `k.toml <<<2x1x1, 32x1x1>>>`.
std::string name_of(const kernel::Launch&, bool is_one_of_many);

}  // namespace ptxmc
