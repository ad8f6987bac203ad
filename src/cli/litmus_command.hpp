#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc litmus FILE|DIR…`: verdicts, outcomes and witnesses of litmus tests. Running it sets `status`.
void define_litmus_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
