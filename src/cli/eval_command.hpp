#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc eval [FILE]`: what instructions compute, line by line. Running it sets `status`.
void add_eval_command(CLI::App&, ExitStatus& status);

}  // namespace ptxmc
