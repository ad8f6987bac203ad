#pragma once

#include "src/kernel/machine.hpp"

namespace ptxmc::kernel {

/// A buffer after the launch, its elements as text; `?` for what has no known value.
struct FinalBuffer {
  std::string name, type;
  std::vector<std::string> elements;
};

struct RunResult {
  std::vector<Finding> findings;
  std::vector<FinalBuffer> buffers;
  std::uint64_t instructions = 0;
  unsigned launches = 1;  ///< more where parameters may have any value
};

/// Executes a launch once. Where parameters may have any value: with edge values and random ones, until a
/// launch has a finding. `final_condition` that does not hold is a finding of kind "assertion".
/// Throws InputError and Unsupported.
RunResult run_launch(const Launch&, const syntax::Module&, const RunOptions&,
                     const std::function<void(const std::string&)>& print);

}  // namespace ptxmc::kernel
