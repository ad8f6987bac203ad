#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/form.hpp"
#include "semantics/instruction.hpp"

namespace ptxmc {

/// What the slots of a syntax line hold: the index of a choice, or -1 when left out.
using SlotChoices = std::vector<int>;

/// How an operand is written, before anything is known about its instruction.
struct OperandShape {
  enum class Kind : std::uint8_t { register_, immediate, address, label, vector, list, sink };
  Kind kind = Kind::register_;
  OperandPattern::Link link = OperandPattern::Link::comma;  ///< `p|q` and `[a, c]` are two operands each
  bool negated = false;                                     ///< `!p`
  unsigned elements = 0;                                    ///< of a vector or list
  bool has_minus = false;                                   ///< `-a`
  std::string selector = {};                                ///< "b0" of `a.b0`, in video instructions

  friend bool operator==(const OperandShape&, const OperandShape&) = default;
};

/// The shape of a resolved operand; `link` is comma.
OperandShape shape_of(const Operand&);

/// A form, or what is wrong.
struct Match {
  const Form* form = nullptr;
  std::string error;  ///< "found `.u8`, expected one of .u16, .u32" …
  /// Where: a character of the spelling, or an operand; both npos when it is the whole instruction.
  std::size_t spelling_offset = std::string::npos;
  std::size_t operand = std::string::npos;

  explicit operator bool() const { return form != nullptr; }
};

/// Declared instructions. Forms are made when first matched and keep their address. Matching is safe
/// from several threads.
class InstructionSet {
 public:
  /// A declaration and what its syntax says.
  struct Entry {
    const Definition* definition;
    Notation notation;
  };

  InstructionSet();
  ~InstructionSet();
  InstructionSet(InstructionSet&&) noexcept;
  InstructionSet& operator=(InstructionSet&&) noexcept;

  /// The definitions must outlive the set. Throws std::logic_error when a syntax breaks the notation.
  void define(std::span<const Definition>);

  /// The form that an instruction is an instance of. `spelling` is opcode and modifiers as written:
  /// "ld.relaxed.gpu.u32". Modifiers may stand in any order that leaves their roles clear. Operands
  /// are those that are written; see Form::operands for hidden ones.
  Match match(std::string_view spelling, std::span<const OperandShape> operands) const;

  bool has_opcode(std::string_view opcode) const;

  /// All declarations, in order.
  const std::vector<std::unique_ptr<Entry>>& entries() const;

  /// How many choices of modifiers a syntax line has (exceptions included), one of them, its spelling.
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
