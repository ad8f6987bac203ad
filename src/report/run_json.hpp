#pragma once

#include <string>

#include "src/kernel/machine/run.hpp"
#include "src/kernel/module/module_file.hpp"

namespace ptxmc {

/// The result of one execution of a launch as one JSON object on one line, without the newline. The keys and
/// their order are stable across versions (docs/users-guide.md): file, entry, output, findings, ignored,
/// contradicted, open, buffers, instructions, launches. `output`: what the kernel printed.
std::string run_json(const kernel::Launch&, const kernel::RunResult&, const kernel::SourceLines&,
                     const std::string& output);

}  // namespace ptxmc
