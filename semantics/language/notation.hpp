#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/language/modifier.hpp"
#include "semantics/language/type.hpp"

namespace ptxmc {

/// Modifiers written one after the other: `.xorsign.abs`.
using ModifierSequence = std::vector<Modifier>;

/// A slot for modifiers in a syntax line: a literal (`.sat`) or a role (`.type`).
struct ModifierSlot {
  std::string role;  ///< ".type"; empty for a literal
  bool optional = false;
  std::vector<ModifierSequence> choices;
};

/// How the type of an operand is determined.
struct OperandType {
  enum class Source : std::uint8_t { none, fixed, role };
  Source source = Source::none;
  Type fixed;
  std::string role;
  bool widened = false;        ///< `2 * .type`: twice the width
  bool may_be_vector = false;  ///< `{.type}`
};

/// The parts of a register that a video instruction uses: PTX ISA 8.7 § 9.7.18. Choices are without their
/// dot; in `hxy` the letters stand for digits 0 to 3, in `bxyzw` for 0 to 7.
struct Selector {
  std::string role;  ///< ".asel"; empty for operands without one
  bool optional = false;
  std::vector<std::string> choices;

  bool accepts(std::string_view text) const;
};

/// The values that an immediate may have.
struct Immediates {
  std::vector<int> listed;
  bool is_range = false;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  int step = 1;
  bool is_fraction = false;  ///< a floating-point number above 0 and at most 1

  bool is_any() const { return listed.empty() && !is_range; }
  bool accepts(std::int64_t) const;
  bool accepts(double) const;
};

/// "16", "one of 4, 8, 16", "0 to 15", "0 to 1024 in steps of 32", "a number above 0 and at most 1".
std::string to_string(const Immediates&);

/// One operand of a syntax line.
struct OperandPattern {
  enum class Kind : std::uint8_t { value, address, label, vector, list };
  /// How the operand is connected to the one before it: `p|q`, `[a, c]`.
  enum class Link : std::uint8_t { comma, pipe, bracket };

  std::string name;
  Kind kind = Kind::value;
  Link link = Link::comma;
  bool optional = false;
  bool negatable = false;       ///< `{!}c`
  bool may_have_minus = false;  ///< `{-}a`
  bool is_destination = false;
  bool may_be_sink = false;  ///< a destination that may be `_`
  unsigned elements = 0;     ///< of a vector with braces; 0: any number
  Immediates immediates;
  bool is_constant = false;  ///< must be an immediate
  Selector selector;         ///< `a{.asel}`
  OperandType type;
};

/// One line of a declaration: `mad{.hi, .lo}.type d, a, b, c;` without the alternatives that belong to other
/// lines.
struct SyntaxLine {
  std::string opcode;
  std::string text;  ///< as declared, blanks normalised
  std::vector<ModifierSlot> modifiers;
  std::vector<OperandPattern> operands;
};

/// `PTX 7.8` is 78.
using PtxVersion = std::uint16_t;

/// `sm_90`: 90 and higher; `sm_90a`: only this architecture; `sm_89 since PTX 8.1`: only from this version of
/// PTX on.
struct Architecture {
  std::uint16_t sm = 0;
  bool exact = false;
  PtxVersion since = 0;
};

/// Selects forms of a declaration: those with this opcode (empty: any), all of these modifiers, and this
/// operand (empty: any).
struct FormFilter {
  std::string opcode;
  ModifierSequence modifiers;
  std::string operand;
};

/// `PTX 7.8, sm_90: .cluster;`: forms that a filter selects need this version and one of the targets.
/// `removed PTX 6.4, sm_70`: from this version on these forms do not exist for these targets.
struct VersionNote {
  PtxVersion ptx = 0;
  std::vector<Architecture> targets;
  std::vector<FormFilter> forms;  ///< none: all
  bool removed = false;
};

/// A declaration, parsed.
struct Notation {
  std::vector<SyntaxLine> lines;
  std::vector<VersionNote> versions;
  std::vector<FormFilter> exceptions;
};

/// Parses a declaration in the notation of the manual's "Syntax" paragraphs, statements ended by `;`:
///
///     mul{.hi}.type d, a, b{, c};      a syntax line; `{…}` is optional, `p|q` and `p[|q]` are pairs,
///                                      `{!}c` may be negated, `[a]` is an address
///     .type = .atype = { .u16, .u32 }; the choices of a role; a name never defined is a literal; roles
///                                      .asel, .bsel, .dsel and .mask select parts of operands
///     vop = { vadd, vsub };            choices of opcodes
///     cp-size = { 4, 8, 16 };          an operand that is one of these constants; so are those named N,
///                                      imm… or by a number
/// and, for what the manual says in prose,
///     c : .pred;   d : 2 * .type;   d, b : {.type};
///                                      types of operands; braces: a vector is also possible
///     PTX 1.0;   PTX 7.8, sm_90: .cluster, barrier.red, .arrive(count);   removed PTX 6.4, sm_70;
///     PTX 7.8, sm_90, sm_89 since PTX 8.1;
///     except .v4.b64, .v2.b128;        combinations that do not exist
///     a in { 0..15 };  b in { 0.. by 32 };  immediates in range, where the operand is one
///     fraction in (0, 1];              the same for floating-point immediates
///     d, p or _;                       destinations in whose place the sink may stand
///
/// A type declared through a role holds for the lines that have this role. Without a type of its own
/// operand `a` has that of role `.atype`, else `.type`; else a destination has the first type among the
/// line's modifiers, a source the last. `p`, `q` and negatable operands are predicates. The first operand is
/// the destination when it is no address and has one of the manual's names for one (d, p, r, …).
///
/// Text that breaks these rules is an error of ours: std::logic_error.
Notation parse_notation(std::string_view text);

}  // namespace ptxmc
