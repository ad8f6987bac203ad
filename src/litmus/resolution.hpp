#pragma once

#include <vector>

#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// A test from its syntax and the code of each thread: places threads, lays out memory, translates code and
/// question. The caller handles comments and everything outside the syntax tree. Throws InputErrors with all
/// mistakes, and Unsupported.
LitmusTest resolve(const litmus_syntax::File&, const std::vector<std::vector<litmus_syntax::Cell>>& code,
                   const SourceText&);

}  // namespace ptxmc
