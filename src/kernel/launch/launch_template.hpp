#pragma once

#include <string>

#include "src/ptx/syntax.hpp"

namespace ptxmc::kernel {

/// The text of a launch file for an entry, to start from: sizes of the grid and block that the directives of
/// the entry allow, and an entry for each parameter as the code uses it (parameter_uses.hpp), with comments
/// that say what to change. `module` is the path that the file names. `check` and `run` accept the text as it
/// is.
std::string launch_template(const syntax::Module&, const syntax::Function& entry, const std::string& module);

}  // namespace ptxmc::kernel
