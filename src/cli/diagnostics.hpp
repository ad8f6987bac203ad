#pragma once

#include <string>

#include "semantics/language/diagnostic.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// `file:line:column: error: message`, then, if the file can be read, the line and a caret below the column.
/// Ends with a newline. For InputErrors the text of each error.
std::string diagnostic_text(const InputError&);

/// `file:line:column: warning: message`, with the line.
std::string warning_text(const std::string& file, const Warning&);

/// `file:line:column: unsupported: what`.
std::string unsupported_text(const Unsupported&, const std::string& file);

}  // namespace ptxmc
