#pragma once

#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// A test of C++ in which volatile accesses are plain ones, as in the standard: two of them that conflict are
/// a data race. Otherwise they are relaxed at the scope of the system, as code for CUDA needs them. Tests of
/// PTX stay as they are.
LitmusTest with_plain_volatile(LitmusTest);

}  // namespace ptxmc
