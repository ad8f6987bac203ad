#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// Defines `ptxmc compare`, which sets `status` when it runs.
void define_compare_command(CLI::App&, ExitStatus& status);

}  // namespace ptxmc
