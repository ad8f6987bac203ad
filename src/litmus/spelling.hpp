#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "semantics/instruction_set.hpp"

namespace ptxmc {

/// The type that an access has when it names none.
struct VariableType {
  unsigned width = 64;  ///< bits
  bool is_signed = true;
};

/// `beq` compares by "eq"; none when the opcode is no comparing branch.
std::optional<std::string_view> branch_comparison(std::string_view opcode);

/// The opcode is in the table of PTX or of the dialect, or one of the dialect's words for branches.
bool is_known_opcode(std::string_view opcode);

/// The opcode that differs least.
std::string nearest_opcode(std::string_view opcode);

/// Opcode and modifiers as PTX has them: the dialect leaves out the type, and writes `mul` for `mul.lo`.
std::string complete_spelling(std::string_view written, VariableType accessed);

/// The form in the dialect's table or in that of PTX.
Match match_instruction(std::string_view spelling, std::span<const OperandShape>);

}  // namespace ptxmc
