#pragma once

#include <string>
#include <vector>

namespace ptxmc::test {

/// What ptxas says about one instruction; empty: it takes it.
using Verdict = std::string;

/// Assembles instructions for a target as PTX ISA 8.7, many a module, until every one is known to be right
/// or wrong.
std::vector<Verdict> assemble(const std::string& ptxas, const std::string& target,
                              const std::vector<std::string>& instructions);

}  // namespace ptxmc::test
