#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc litmus FILE|DIR…`: verdicts, outcomes and witnesses of litmus tests. Running it sets `status`.
void add_litmus_command(CLI::App&, ExitStatus& status);

}  // namespace ptxmc
