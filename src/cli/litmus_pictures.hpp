#pragma once

#include <filesystem>
#include <vector>

#include "src/cli/litmus_result.hpp"
#include "src/report/picture.hpp"

namespace ptxmc {

/// The executions to draw, at most `number`: those that axioms forbid, one for each axiom, if there is an
/// explanation; else the one behind the verdict and those of other final states. Empty if there are none.
std::vector<DrawnExecution> drawn_executions(const LitmusResult&, std::size_t number);

/// Draws the execution behind the verdict, or the execution that an axiom forbids; for an unknown answer an
/// execution of a final state that was found. With `number` it draws executions of up to this many final
/// states, one file each. If there is no execution, it prints a message on standard error. Throws InputError
/// like write_witness.
void draw_witness(const LitmusResult&, const std::filesystem::path&, std::size_t number);

}  // namespace ptxmc
