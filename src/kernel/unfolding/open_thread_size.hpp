#pragma once

#include "solver/threads/open_thread.hpp"
#include "src/kernel/module/launch.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::kernel {

/// Sets the size of the launch of an open thread: constants, and unknowns where the launch says "any".
/// Returns the condition (width 1) that a launch can have this size: docs/soundness.md.
Bits open_thread_size(OpenThread&, const Launch&, const syntax::Function& entry, TermGraph&);

/// Places the thread anywhere in a launch of its size.
void place_open_thread(OpenThread&, TermGraph&);

}  // namespace ptxmc::kernel
