#pragma once

#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

/// A launch under an assumption that decides some conditions on its inputs.
struct LaunchCase {
  EventStructure structure;
  Bits assumption;  ///< width 1: the decided conditions
};

/// Splits a launch into cases if its barriers depend only on a few conditions on inputs, which are the same
/// for many threads, such as `if (n > 0) __syncthreads();` with an open `n`. In each case the executed
/// barriers are known. Empty if barriers depend on no such conditions, on other conditions too, or on too
/// many.
std::vector<LaunchCase> barrier_cases(const EventStructure&);

}  // namespace ptxmc
