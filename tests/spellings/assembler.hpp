#pragma once

#include <string>
#include <vector>

namespace ptxmc::test {

/// The error message of ptxas for one instruction; empty if it accepts the instruction.
using Verdict = std::string;

/// Assembles instructions for a target as PTX ISA 8.7, many in one module, until each is known to be accepted
/// or rejected.
std::vector<Verdict> assemble(const std::string& ptxas, const std::string& target,
                              const std::vector<std::string>& instructions);

}  // namespace ptxmc::test
