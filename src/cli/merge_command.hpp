#pragma once

#include "src/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// `ptxmc merge RESULTS.jsonl…`: the parts of a campaign put together. Running it sets `status`.
void define_merge_command(CLI::App& command, ExitStatus& status);

}  // namespace ptxmc
