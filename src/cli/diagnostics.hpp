#pragma once

#include <string>

#include "semantics/diagnostic.hpp"

namespace ptxmc {

/// `file:line:column: error: message`, then, when the file can be read, the line and a caret below the
/// column. Ends with a line's end.
std::string diagnostic_text(const InputError&);

/// `file:line:column: unsupported: what`.
std::string unsupported_text(const Unsupported&, const std::string& file);

}  // namespace ptxmc
