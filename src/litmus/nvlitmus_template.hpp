#pragma once

#include <vector>

#include "semantics/source_text.hpp"

namespace ptxmc {

/// The tests that a file of NVIDIA's mixed-proxy tool stands for, without comments (`// …`, `/* … */`). What
/// stands before `$$` is a template, and each line below gives its `$0 $1 …`, fields between bars. A file
/// without `$$` is one test. Positions are those in the file.
/// Throws InputError: a `$n` for which a line has no field, no line after `$$`, a comment that does not end,
/// parentheses too deep to be meant, bytes that are no text.
std::vector<SourceText> instances_of_template(const SourceText&);

}  // namespace ptxmc
