#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc check LAUNCH.toml…`: real kernels: assertions, races, divergence, deadlock, memory safety.
void add_check_command(CLI::App&, ExitStatus&);

}  // namespace ptxmc
