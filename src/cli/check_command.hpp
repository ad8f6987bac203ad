#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc check LAUNCH.toml…`: real kernels: assertions, races, divergence, deadlock, memory safety.
void define_check_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
