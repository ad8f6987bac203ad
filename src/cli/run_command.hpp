#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc run LAUNCH.toml…`: executes kernels under one interleaving. Running it sets `status`.
void add_run_command(CLI::App&, ExitStatus& status);

}  // namespace ptxmc
