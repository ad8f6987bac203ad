#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/language/instruction_set.hpp"

namespace ptxmc::test {

/// An instruction of a form with operands that suit it. `shapes` are those that the form was matched with.
std::string instruction_text(const Form&, std::span<const OperandShape> shapes);

/// A module with one entry that has these instructions, one a line from `first_line` on, and declares
/// whatever instruction_text names, %f and %d besides, samplers only for "sm_90, texmode_independent".
/// Version as in "8.7".
std::string module_text(std::string_view version, std::string_view target,
                        std::span<const std::string> instructions);
inline constexpr unsigned first_line = 21;

}  // namespace ptxmc::test
