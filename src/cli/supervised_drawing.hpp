#pragma once

#include <functional>

#include "src/cli/common_options.hpp"
#include "src/cli/exit_status.hpp"

namespace ptxmc {

/// Draws the picture of `--witness` within the rest of the time limit, of which `seconds_spent` are used.
/// What `draw` uses it must own: see run_supervised. A drawing that is not finished in time is said, and
/// unknown.
ExitStatus draw_supervised(const CommonOptions&, double seconds_spent, std::function<void()> draw);

}  // namespace ptxmc
