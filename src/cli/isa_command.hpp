#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc isa [OPCODE…]`: the instruction catalogue, or all forms of some opcodes. Running it sets `status`.
void define_isa_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
