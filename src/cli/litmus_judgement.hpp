#pragma once

#include "src/cli/exit_status.hpp"
#include "src/library/expectations.hpp"

namespace ptxmc {

/// The exit status of an answer: success if it is as expected. If the file has no expectation at all, success
/// if the quantified condition holds. If it has expectations only for other models or properties, every
/// answer is a success.
ExitStatus exit_status_of(const LitmusTest&, const std::string& model, LitmusProperty, const Answer&);

}  // namespace ptxmc
