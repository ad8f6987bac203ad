#pragma once

#include <optional>
#include <string>

#include "solver/decide.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// How the answers of two models to one test differ.
struct Difference {
  std::string text;                      ///< a line: which outcome, under which model only
  const Execution* execution = nullptr;  ///< of that outcome; belongs to one of the answers
};

/// None when the models agree: on the outcomes where both answers list them all, else on the verdict.
std::optional<Difference> difference_between(const LitmusTest&, const std::string& model_a, const Answer& a,
                                             const std::string& model_b, const Answer& b);

}  // namespace ptxmc
