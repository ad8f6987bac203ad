#pragma once

#include <vector>

#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// Warnings about things in a test that are probably not intended: names that are read and never written, or
/// declared and never used; registers in the question that are never written; barriers that count more
/// threads than there are.
std::vector<Warning> warnings_about(const litmus_syntax::File&,
                                    const std::vector<litmus_syntax::Column>& code, const LitmusTest&);

}  // namespace ptxmc
