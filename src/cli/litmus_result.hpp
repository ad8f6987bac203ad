#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "src/cli/exit_status.hpp"
#include "src/cli/failure.hpp"
#include "src/library/litmus_property.hpp"
#include "src/report/explanation_text.hpp"

namespace ptxmc {

/// The result for a file under a model: an answer or a failure.
struct LitmusResult {
  std::string file;
  std::string model;
  const cat::Model* definition = nullptr;  ///< the model; null if the test cannot be read
  std::shared_ptr<const LitmusTest> test;  ///< witnesses point into its program; null if it cannot be read
  std::optional<Answer> answer;
  Reasons reasons;                           ///< for the verdict of the condition, with --explain
  std::vector<std::string> findings;         ///< about the witness of a fault
  std::vector<HighlightedEdge> highlighted;  ///< in that witness
  LitmusProperty property = LitmusProperty::condition;
  std::optional<Failure> failure;  ///< if there is no answer
  ExitStatus status = ExitStatus::success;
};

}  // namespace ptxmc
