#pragma once

#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// A test of scoped C++ from its syntax: parses and lowers the functions of its threads. The parameters of
/// the functions give the variables their types. Throws InputErrors with all mistakes, and Unsupported.
LitmusTest resolve_cpp(litmus_syntax::File, const SourceText&);

}  // namespace ptxmc
