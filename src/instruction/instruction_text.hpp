#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/language/instruction_set.hpp"
#include "semantics/language/source_position.hpp"

namespace ptxmc {

/// One instruction without a surrounding program, as `eval` and `explain` read it: `mad.hi.sat.s32`,
/// `mad.hi.sat.s32 d, a, b, c`, `vadd.u32.u32.u32 d.b0, a.h1, b, c`, `lop3.b32 d, a, b, c, 0x96`. Names are
/// registers, which need no declaration.
struct InstructionText {
  struct Operand {
    OperandShape shape;
    std::string name;                   ///< "a"; of a vector and a number, all of it
    std::vector<std::string> elements;  ///< of a written vector
    std::optional<u128> number;         ///< of an immediate
  };
  std::string spelling;           ///< "mad.hi.sat.s32"
  std::vector<Operand> operands;  ///< none: left out
  bool has_guard = false;
};

/// The text without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// Throws InputError, with `file` and `line`, for text that is not an instruction.
InstructionText read_instruction(std::string_view text, const std::string& file, SourcePosition where);

/// The form of an instruction text. Missing operands are taken from the syntax; `source_count` selects the
/// syntax with this number of source values, and `immediates` are the values of its last sources. Throws
/// InputError with the reason and the existing forms.
struct ResolvedInstruction {
  const Form* form = nullptr;
  std::vector<InstructionText::Operand> operands;  ///< without hidden operands
  bool is_written = false;                         ///< the text has operands
  SourcePosition where;
};
ResolvedInstruction resolve_instruction(const InstructionText&, std::optional<std::size_t> source_count,
                                        const std::vector<u128>& immediates, const std::string& file,
                                        SourcePosition where);

}  // namespace ptxmc
