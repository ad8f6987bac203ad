#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc launch MODULE.ptx`: writes a launch file to start from. Running it sets `status`.
void define_launch_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
