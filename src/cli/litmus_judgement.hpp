#pragma once

#include <optional>

#include "solver/decide.hpp"
#include "src/cli/exit_status.hpp"
#include "src/cli/litmus_property.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// Whether the verdict is the one that the file expects of the model; none when it expects nothing.
std::optional<bool> as_expected(const LitmusTest&, const std::string& model, LitmusProperty, const Answer&);

/// What an answer says to the shell: whether it is as expected. In a file that expects nothing at all,
/// whether the quantified condition holds; one that speaks of other models or properties only agrees with any
/// answer.
ExitStatus exit_status_of(const LitmusTest&, const std::string& model, LitmusProperty, const Answer&);

}  // namespace ptxmc
