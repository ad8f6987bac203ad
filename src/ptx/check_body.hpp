#pragma once

#include "src/ptx/check_context.hpp"

namespace ptxmc::syntax {

/// Checks the statements of a function: declares variables and labels block by block, resolves names, and
/// matches instructions. `scope` holds the parameters.
void check_body(CheckContext&, Scope& scope, Function&);

}  // namespace ptxmc::syntax
