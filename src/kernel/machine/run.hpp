#pragma once

#include "semantics/language/tensor_map.hpp"
#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

/// A buffer after the launch, its elements as text; `?` for an unknown value.
struct FinalBuffer {
  std::string name, type;
  std::vector<std::string> elements;
};

struct RunResult {
  std::vector<Finding> findings;  ///< without those that the launch file accepts (`ignore`)
  std::vector<FinalBuffer> buffers;
  std::uint64_t instructions = 0;
  unsigned launches = 1;    ///< more than 1 if parameters may have any value
  std::size_t ignored = 0;  ///< findings that the launch file accepts
  /// Variables of the module that were read as 0 because neither the module nor the launch gives their
  /// content: § 5.4.4.
  std::vector<std::string> assumed_zero = {};
};

/// How the findings of one execution compare with the verdicts that a launch file expects (`expect`).
struct Expectation {
  std::vector<std::string> contradicted;  ///< kinds that were found and not expected
  /// Expected and not found in this execution; another execution may show them.
  std::vector<std::string> open;
};
/// Every finding except `step-limit` contradicts `safe`, and one execution never confirms `safe`. If a race
/// is expected, no finding is a contradiction, since after a mixed-size race the other properties are
/// unknown. A finding `undefined` contradicts only `safe`. The result is empty if the launch expects nothing.
Expectation compare_with_expected(const Launch&, const RunResult&);

/// Executes a launch once. If parameters may have any value, executes it with edge values and random values
/// until one execution has a finding. If `final_condition` is false, that is a finding of kind "assertion".
/// Throws InputError and Unsupported.
RunResult run_launch(const Launch&, const syntax::Module&, const RunOptions&,
                     const std::function<void(const std::string&)>& print);

/// The contents of the tensor maps that asynchronous operations read in `executions` executions of a launch,
/// each with other values of parameters that may have any value, and of at most `most_steps` steps. An
/// execution that is unsupported ends early.
std::vector<TensorMap> tensor_maps_of_runs(const Launch&, const syntax::Module&, unsigned executions,
                                           std::uint64_t most_steps);

}  // namespace ptxmc::kernel
