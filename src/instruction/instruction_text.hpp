#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/instruction_set.hpp"

namespace ptxmc {

/// One instruction without a program around it, as `eval` and `explain` take it: `mad.hi.sat.s32`,
/// `mad.hi.sat.s32 d, a, b, c`, `vadd.u32.u32.u32 d.b0, a.h1, b, c`, `lop3.b32 d, a, b, c, 0x96`. Names are
/// those of registers; nothing is declared.
struct InstructionText {
  struct Operand {
    OperandShape shape;
    std::string name;                   ///< "a"; of a vector and a number, all of it
    std::vector<std::string> elements;  ///< of a vector that is written out
    std::optional<u128> number;         ///< of an immediate
  };
  std::string spelling;           ///< "mad.hi.sat.s32"
  std::vector<Operand> operands;  ///< none: left out
  bool has_guard = false;
};

/// Throws InputError, with `file` and `line`, for text that is no instruction.
InstructionText read_instruction(std::string_view text, const std::string& file, SourcePosition where);

/// The form that a text is an instance of. Operands that are left out are those of the syntax; with
/// `source_count`, of the one that has so many source values, and `immediates` are what the last of its
/// sources are. Throws InputError with the reason and the forms that exist.
struct ResolvedInstruction {
  const Form* form = nullptr;
  std::vector<InstructionText::Operand> operands;  ///< hidden ones not included
  bool is_written = false;                         ///< the operands stand in the text
  SourcePosition where;
};
ResolvedInstruction resolve_instruction(const InstructionText&, std::optional<std::size_t> source_count,
                                        const std::vector<u128>& immediates, const std::string& file,
                                        SourcePosition where);

}  // namespace ptxmc
