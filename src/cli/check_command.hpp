#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc check LAUNCH.toml…`: checks launches of kernels for failed assertions, races, divergence, deadlock
/// and memory errors.
void define_check_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
