#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/language/form.hpp"
#include "semantics/language/matching.hpp"
#include "semantics/language/operand_shape.hpp"

namespace ptxmc {

/// The matching form, or an error.
struct Match {
  const Form* form = nullptr;
  std::string error;  ///< "found `.u8`, expected one of .u16, .u32" …
  /// The position of the error: a character of the spelling, or an operand. Both are npos if the error is
  /// about the whole instruction.
  std::size_t spelling_offset = std::string::npos;
  std::size_t operand = std::string::npos;

  explicit operator bool() const { return form != nullptr; }
};

/// A set of declared instructions. A form is created when it is first matched, and its address does not
/// change. Several threads may match at the same time.
class InstructionSet {
 public:
  InstructionSet();
  ~InstructionSet();
  InstructionSet(InstructionSet&&) noexcept;
  InstructionSet& operator=(InstructionSet&&) noexcept;

  /// The definitions must outlive the set. Throws std::logic_error when a syntax breaks the notation.
  void define(std::span<const Definition>);

  /// The form that an instruction is an instance of. `spelling` is opcode and modifiers as written:
  /// "ld.relaxed.gpu.u32". Modifiers may be in any order in which their roles are unambiguous. `operands` are
  /// the written operands; for hidden operands see Form::operands.
  Match match(std::string_view spelling, std::span<const OperandShape> operands) const;

  bool has_opcode(std::string_view opcode) const;

  /// All declarations, in order.
  const std::vector<std::unique_ptr<Declaration>>& declarations() const;

  /// The number of choices of modifiers of a syntax line (including excluded combinations), the choice with a
  /// given number, and its spelling.
  static std::size_t choices(const SyntaxLine&);
  static SlotChoices slot_choices(const SyntaxLine&, std::size_t choice);
  static std::string spelling(const SyntaxLine&, const SlotChoices&);

 private:
  struct Store;
  std::unique_ptr<Store> store_;
};

/// The instruction set of PTX ISA 6.0 to 8.7.
const InstructionSet& ptx();

}  // namespace ptxmc
