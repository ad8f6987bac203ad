#pragma once

#include <optional>
#include <string>

#include "solver/smt_engine/explain.hpp"
#include "src/generator/model_difference.hpp"

namespace ptxmc {

/// Two models as reports name them.
struct TwoModels {
  const cat::Model& first;
  const cat::Model& second;
  std::string first_name, second_name;

  /// The one that forbids the condition of a test on which they differ.
  const cat::Model& forbidding(const generator::DecidedTest&) const;
};

/// The test, its verdicts, the execution that one model allows, and the axiom by which the other one forbids
/// it; or why one of them has no answer. `why` explains the condition under the model that forbids it.
std::string difference_text(const generator::DecidedTest&, const TwoModels&,
                            const std::optional<Explanation>& why);

}  // namespace ptxmc
