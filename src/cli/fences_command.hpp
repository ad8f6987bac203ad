#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// Declares `ptxmc fences`.
void define_fences_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
