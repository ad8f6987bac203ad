#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc distinguish A B`: the smallest litmus test whose verdicts under two models differ.
void define_distinguish_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
