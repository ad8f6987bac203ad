#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc generate`: litmus tests from cycles of relations.
void define_generate_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
