#pragma once

#include <string>

#include "model/execution.hpp"

namespace ptxmc {

/// The execution as steps, one a line, in an order that respects program order, what is read from, and
/// barriers. Where no order does (a read takes a value that its thread makes possible later), the reads
/// concerned come first, as a processor that executes out of order would have it.
std::string trace_text(const Execution&);

}  // namespace ptxmc
