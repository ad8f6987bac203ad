#pragma once

#include <string>
#include <vector>

#include "model/program/execution.hpp"
#include "src/report/property_text.hpp"

namespace ptxmc {

/// One instruction in an execution.
struct TraceStep {
  std::string thread;
  std::uint32_t line = 0;  ///< of the module or test
  std::string text;        ///< "`st.global.u32 [%rd1], %r2`: writes x = 1"
};

/// The steps of the execution, in an order that respects program order, reads-from and barriers. If no order
/// does (a read takes a value that depends on a later action of its thread), the affected reads come first,
/// as in a processor that executes out of order. With `shown`, by event, only these steps.
std::vector<TraceStep> trace_steps(const Execution&, const std::vector<bool>& shown = {});

/// The steps with their numbers, one a line, and a line that says how many steps `shown` leaves out.
std::string trace_text(const Execution&, const std::vector<bool>& shown = {}, const PlaceText& = plain_line);

}  // namespace ptxmc
