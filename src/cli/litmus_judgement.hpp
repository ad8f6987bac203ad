#pragma once

#include <optional>

#include "solver/smt_engine/answers.hpp"
#include "src/cli/exit_status.hpp"
#include "src/cli/litmus_property.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// Whether the verdict is the one that the file expects for the model; empty if the file expects nothing.
std::optional<bool> as_expected(const LitmusTest&, const std::string& model, LitmusProperty, const Answer&);

/// The exit status of an answer: success if it is as expected. If the file has no expectation at all, success
/// if the quantified condition holds. If it has expectations only for other models or properties, every
/// answer is a success.
ExitStatus exit_status_of(const LitmusTest&, const std::string& model, LitmusProperty, const Answer&);

}  // namespace ptxmc
