#pragma once

#include <atomic>

namespace ptxmc {

/// A flag that Ctrl-C sets, and that is also set when results can no longer be written.
const std::atomic<bool>& interrupted();

/// Sets the flag.
void interrupt();

/// From this call on the first Ctrl-C sets the flag, so that the results known so far are printed. A second
/// Ctrl-C, or five more seconds, ends the program with status 130. Call it before other threads are started.
void catch_interruption();

}  // namespace ptxmc
