#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/cat_model.hpp"
#include "src/cli/exit_status.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/litmus_property.hpp"
#include "src/report/explanation_text.hpp"

namespace ptxmc {

/// A file under a model: its answer, or what is wrong.
struct LitmusResult {
  std::string file;
  std::string model;
  const cat::Model* definition = nullptr;  ///< of the model; none when the test cannot be read
  std::shared_ptr<const LitmusTest> test;  ///< witnesses point into its program; none when it cannot be read
  std::optional<Answer> answer;
  Reasons reasons;                           ///< for the condition's verdict, when asked for
  std::vector<std::string> findings;         ///< about the witness of a race or a hang
  std::vector<HighlightedEdge> highlighted;  ///< in that witness
  LitmusProperty property = LitmusProperty::condition;
  std::optional<Failure> failure;  ///< without an answer
  ExitStatus status = ExitStatus::success;
};

}  // namespace ptxmc
