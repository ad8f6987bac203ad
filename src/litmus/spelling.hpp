#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "semantics/language/instruction_set.hpp"

namespace ptxmc {

/// The type of a variable, which an access without a type has.
struct VariableType {
  unsigned width = 64;  ///< bits
  bool is_signed = true;
  std::optional<FloatFormat> format = {};
};

/// The text in one line: blanks become single ones, and there are none at the ends.
std::string collapse_blanks(const std::string&);

/// The comparison of a branch: "eq" for `beq`; empty if the opcode is not a comparing branch.
std::optional<std::string_view> branch_comparison(std::string_view opcode);

/// Whether the opcode is in the table of PTX or of the dialect, or is a branch of the dialect.
bool is_known_opcode(std::string_view opcode);

/// The known opcode that differs least.
std::string nearest_opcode(std::string_view opcode);

/// Opcode and modifiers as in PTX: adds what the dialect leaves out, for example the type, or `.lo` of `mul`.
std::string complete_spelling(std::string_view written, VariableType accessed);

/// The matching form in the dialect's table or in the catalogue of PTX.
Match match_instruction(std::string_view spelling, std::span<const OperandShape>);

}  // namespace ptxmc
