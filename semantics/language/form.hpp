#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semantics/language/modifier.hpp"
#include "semantics/language/notation.hpp"
#include "semantics/language/rule.hpp"
#include "semantics/language/type.hpp"

namespace ptxmc {

/// Where control may go after an instruction whose guard is true.
enum class Flow : std::uint8_t {
  next,
  branch,  ///< to its label operands or to the next instruction
  jump,    ///< to its label operands
  end,     ///< nowhere: exit, ret, trap
};

/// The declaration of an instruction, or of some of its forms: PTX ISA § 9.7. `docs/adding-an-instruction.md`
/// shows how to write one.
struct Definition {
  std::string_view section;  ///< "9.7.1.4"; of PTX ISA 6.4 when 8.7 has dropped it: "6.4: 9.7.12.1"
  std::string_view syntax;   ///< in the notation of notation.hpp
  Rule rule = {};            ///< of all its forms; without a rule they are declared and cannot be executed
  Flow flow = Flow::next;
  bool only_waits = false;  ///< it only takes time (nanosleep): its operands have no effect on the state
};

/// A definition and its parsed syntax.
struct Declaration {
  const Definition* definition;
  Notation notation;
};

/// An operand of a form; `Instruction::operands` has one for each, in this order.
struct FormOperand {
  const OperandPattern* pattern = nullptr;
  Type type;              ///< kind none: no single type
  unsigned elements = 0;  ///< of a vector; 0: scalar
  /// The carry flag: a register of width 1 that does not appear in the text; the front end appends it.
  bool is_hidden = false;
  bool is_destination = false;
  bool has_minus = false;  ///< `-a`
  std::string selector;    ///< "b0": the parts of the register that count; empty when not given

  /// The member of Operands that holds its value.
  enum class Place : std::uint8_t { none, a, b, c, d, elements, other };
  Place place = Place::none;

  std::string_view name() const { return is_hidden ? std::string_view("CC") : pattern->name; }
};

/// A syntax line with all modifiers chosen and optional operands present or absent. Owned by its
/// InstructionSet.
struct Form {
  const Definition* definition = nullptr;
  const SyntaxLine* line = nullptr;
  std::string spelling;  ///< opcode and modifiers in declared order: "atom.release.gpu.add.u32"
  ModifierSet modifiers;
  std::vector<std::pair<std::string, Modifier>> roles;  ///< chosen modifiers by role; of a sequence the first
  std::vector<FormOperand> operands;
  Type main_type;  ///< see type()
  Access access;   ///< of a load or store: the access to each element (semantics/language/memory_access.hpp)

  PtxVersion introduced = 10;         ///< the first PTX version with this form
  std::vector<Architecture> targets;  ///< one of them is required; empty: all targets have the form
  PtxVersion removed = 0;             ///< the PTX version that removed the form; 0: none
  std::vector<Architecture> removed_for;

  bool has(Modifier m) const { return modifiers.has(m); }

  /// The chosen modifier of a role, `form[".op"]`; empty if it was left out or the form has no such role.
  std::optional<Modifier> operator[](std::string_view role) const;

  /// The type of role `.type`; without that role, the first type among the modifiers.
  Type type() const { return main_type; }
  unsigned width() const { return main_type.width; }
  bool is_signed() const { return main_type.is_signed(); }
  bool is_float() const { return main_type.is_float(); }
  /// The chosen type of another role: `type(".atype")`.
  Type type(std::string_view role) const;
};

}  // namespace ptxmc
