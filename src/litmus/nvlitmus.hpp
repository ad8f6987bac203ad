#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// Reads a file in the format of NVIDIA's mixed-proxy tool (docs/litmus-format.md): a test for each line of
/// its table and each of its questions. `permit` becomes `exists`, `assert` becomes `forall`, and the
/// required result of a read becomes a filter. Throws InputError at the first mistake.
std::vector<LitmusTest> parse_nvlitmus(std::string_view text, const std::string& file);

}  // namespace ptxmc
