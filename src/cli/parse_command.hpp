#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc parse FILE.ptx…`: reads and checks modules; `--print` prints them again. Running it sets `status`.
void define_parse_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
