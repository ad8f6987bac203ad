#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc eval [FILE]`: evaluates instructions, one a line. Running it sets `status`.
void define_eval_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
