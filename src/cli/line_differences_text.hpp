#pragma once

#include <string>

#include "src/cli/line_differences.hpp"

namespace ptxmc {

/// For each line that has a difference the smallest test with its verdicts, the execution, and the axiom that
/// forbids it, as difference_text prints them.
std::string line_differences_text(const LineDifferences&, const cat::Model&, const CommonOptions&);

/// A table with a row for each line; `what` says which tests were decided.
std::string line_differences_table(const LineDifferences&, const cat::Model&, const std::string& what,
                                   bool color);
/// The same in Markdown.
std::string line_differences_markdown(const LineDifferences&, const cat::Model&, const std::string& what);

/// A JSON object a line for each line of the model.
std::string line_differences_json(const LineDifferences&, const cat::Model&);

}  // namespace ptxmc
