#pragma once

#include <optional>
#include <string>

#include "solver/smt_engine/answers.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// How the answers of two models to one test differ.
struct Difference {
  std::string text;                      ///< a line that names the outcome and the only model that allows it
  const Execution* execution = nullptr;  ///< an execution of that outcome, owned by one of the answers
};

/// Empty if the models agree. Outcomes are compared if both answers list all of them, otherwise verdicts.
std::optional<Difference> difference_between(const LitmusTest&, const std::string& model_a, const Answer& a,
                                             const std::string& model_b, const Answer& b);

}  // namespace ptxmc
