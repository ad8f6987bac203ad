#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc model [NAME]`: lists the embedded memory models, or prints one. Running it sets `status`.
void define_model_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
