#pragma once

#include <atomic>

namespace ptxmc {

/// Set by Ctrl-C, and when results cannot be written any more.
const std::atomic<bool>& interrupted();

/// Sets the flag.
void interrupt();

/// From now on the first Ctrl-C sets the flag, so that what is known so far is printed; the second, or five
/// seconds, end the program with status 130. To be called before other threads are started.
void catch_interruption();

}  // namespace ptxmc
