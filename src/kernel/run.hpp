#pragma once

#include "src/kernel/machine.hpp"

namespace ptxmc::kernel {

/// A buffer after the launch, its elements as text; `?` for what has no known value.
struct FinalBuffer {
  std::string name, type;
  std::vector<std::string> elements;
};

struct RunResult {
  std::vector<Finding> findings;  ///< without those that the launch file accepts (`ignore`)
  std::vector<FinalBuffer> buffers;
  std::uint64_t instructions = 0;
  unsigned launches = 1;    ///< more where parameters may have any value
  std::size_t ignored = 0;  ///< findings that the launch file accepts
  /// Variables of the module that were read as 0, which neither it nor the launch states: § 5.4.4.
  std::vector<std::string> assumed_zero = {};
};

/// What one execution says of the verdicts that a launch file expects (`expect`).
struct Expectation {
  std::vector<std::string> contradicted;  ///< kinds that were found and not expected
  std::vector<std::string> open;          ///< expected, and not seen in this execution: another may show them
};
/// `safe` is contradicted by every finding but `step-limit`, and never shown by one execution. Where a race
/// is expected nothing contradicts: after one of mixed sizes the rest is unknown. Nothing contradicts other
/// verdicts by what is undefined. Empty where nothing is expected.
Expectation compare_with_expected(const Launch&, const RunResult&);

/// Executes a launch once. Where parameters may have any value: with edge values and random ones, until a
/// launch has a finding. `final_condition` that does not hold is a finding of kind "assertion".
/// Throws InputError and Unsupported.
RunResult run_launch(const Launch&, const syntax::Module&, const RunOptions&,
                     const std::function<void(const std::string&)>& print);

}  // namespace ptxmc::kernel
