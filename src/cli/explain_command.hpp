#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc explain 'INSTRUCTION'…`: explains instructions. Running it sets `status`.
void define_explain_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
