#pragma once

#include <string>

#include "src/instruction/instruction_text.hpp"

namespace ptxmc {

/// What `ptxmc explain` says of an instruction: its section, syntax and versions, what its rule does to the
/// world, its results as terms for people and as SMT-LIB 2. Of a form without a rule, that.
/// Throws InputError for text that is no instruction.
std::string explanation_of(const std::string& instruction);

}  // namespace ptxmc
