#pragma once

#include <atomic>

namespace ptxmc {

/// Set by Ctrl-C.
const std::atomic<bool>& interrupted();

/// From now on the first Ctrl-C sets the flag, so that what is known so far is printed; the second ends
/// the program. To be called before other threads are started.
void catch_interruption();

}  // namespace ptxmc
