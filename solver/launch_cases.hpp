#pragma once

#include <vector>

#include "model/event.hpp"

namespace ptxmc {

/// A launch when some conditions on its inputs are known to hold, or not to hold.
struct LaunchCase {
  EventStructure structure;
  Bits assumption;  ///< width 1: these conditions are so
};

/// The cases of a launch in which barriers stand under few conditions, the same for many threads, that depend
/// on nothing that is read: `if (n > 0) __syncthreads();` of an open `n`. In each case it is known which
/// barriers are executed. Empty where no such conditions, others too, or very many decide on barriers.
std::vector<LaunchCase> barrier_cases(const EventStructure&);

}  // namespace ptxmc
