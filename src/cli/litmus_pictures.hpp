#pragma once

#include <filesystem>

#include "src/cli/litmus_result.hpp"

namespace ptxmc {

/// Draws the execution behind the verdict, or the one that an axiom forbids; of an unknown answer one that
/// ends in a state that was found. `number`: executions of so many final states, each in a file of its own.
/// Where there is none, says so on standard error. Throws InputError as write_witness does.
void draw_witness(const LitmusResult&, const std::filesystem::path&, std::size_t number);

}  // namespace ptxmc
