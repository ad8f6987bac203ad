#pragma once

#include <string>
#include <vector>

#include "model/execution.hpp"

namespace ptxmc {

/// What one instruction does in an execution.
struct TraceStep {
  std::string thread;
  std::uint32_t line = 0;  ///< of the module or test
  std::string text;        ///< "`st.global.u32 [%rd1], %r2`: writes x = 1"
};

/// The execution as steps in an order that respects program order, what is read from, and barriers. Where no
/// order does (a read takes a value that its thread makes possible later), the reads concerned come first, as
/// a processor that executes out of order would have it.
std::vector<TraceStep> trace_steps(const Execution&);

/// The steps with their numbers, one a line.
std::string trace_text(const Execution&);

}  // namespace ptxmc
