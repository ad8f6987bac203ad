#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc isa [OPCODE…]`: the instruction catalogue, or all forms of some opcodes. Running it sets `status`.
void add_isa_command(CLI::App&, ExitStatus& status);

}  // namespace ptxmc
