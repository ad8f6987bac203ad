#pragma once

#include <string>

#include "src/kernel/unfolding/final_states.hpp"

namespace ptxmc {

/// The final states of a launch, a line each, in the order of every output. With a condition, `*>` marks the
/// states that satisfy it, and the last line says whether there is one.
std::string launch_states_text(const kernel::LaunchStates&);

}  // namespace ptxmc
