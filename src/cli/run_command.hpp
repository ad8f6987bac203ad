#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc run LAUNCH.toml…`: executes kernels under one interleaving. Running it sets `status`.
void define_run_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
