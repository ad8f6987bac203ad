#pragma once

#include <vector>

#include "semantics/language/source_text.hpp"

namespace ptxmc {

/// The tests of a file of NVIDIA's mixed-proxy tool, without comments (`// …`, `/* … */`). The text before
/// `$$` is a template, and the fields between bars of each line after it replace `$0 $1 …`. A file without
/// `$$` is one test. Positions are those in the file. Throws InputError: a `$n` for which a line has no
/// field, no line after `$$`, a comment that does not end, parentheses that nest too deeply, bytes that are
/// not text.
std::vector<SourceText> instances_of_template(const SourceText&);

}  // namespace ptxmc
