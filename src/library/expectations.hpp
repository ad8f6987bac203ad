#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/smt_engine/answers.hpp"
#include "src/kernel/unfolding/checked_launch.hpp"
#include "src/library/litmus_property.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// Whether the verdict is the one that the file expects for the model; empty if the file expects nothing.
std::optional<bool> as_expected(const LitmusTest&, const std::string& model, LitmusProperty, const Answer&);

/// The verdicts of a launch by their names in launch files: the violated properties, or "safe". Empty if
/// nothing is known.
std::vector<std::string> verdicts_of(const kernel::CheckedLaunch&);

/// Whether the findings agree with the launch file's expectation for the properties in `asked`. Empty if the
/// file expects nothing, or if the result depends on a property that is unknown.
std::optional<bool> as_expected(const kernel::CheckedLaunch&, const std::vector<LaunchProperty>& asked);

}  // namespace ptxmc
