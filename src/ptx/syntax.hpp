#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "semantics/language/modifier.hpp"
#include "semantics/language/source_text.hpp"
#include "src/ptx/constant.hpp"

namespace ptxmc {
struct Form;
struct SpecialRegister;
}  // namespace ptxmc

/// The syntax tree of a PTX module: PTX ISA 8.7 chapters 4 to 7 and 11.
///
/// All texts are views into the source that the Module shares, so the position of a part follows from its
/// text (Module::position). Checking fills `symbol`, `index` and `form`; the parser fills everything else.
namespace ptxmc::syntax {

/// An index into Module::symbols.
using SymbolId = std::uint32_t;
inline constexpr SymbolId no_symbol = ~SymbolId{0};

/// State spaces of declarations: PTX ISA 8.7 § 5.1.
enum class Space : std::uint8_t { reg, sreg, constant, global, local, param, shared, tex };

/// The use or the declaration of an identifier.
struct Name {
  std::string_view text;
  SymbolId symbol = no_symbol;
  std::uint32_t index = 0;  ///< 17 for `%r17` of `.reg .b32 %r<100>`
};

struct Operand;

/// A name: a register, label, function or the address of a variable: `%r1`, `!%p`, `%tid.x`, `-c`, `a.h1`.
struct NameOperand {
  enum class Prefix : std::uint8_t { none, negation /* ! */, minus };
  Name name;
  std::string_view selector;  ///< with its dot: `.x`, `.b0`; empty: none
  Prefix prefix = Prefix::none;
};

/// `[a]`, `[a+4]`, `[4]`, `[a].unified`; without brackets: `a+4`, the address itself.
struct Address {
  std::optional<Name> base;
  std::optional<Constant> offset;  ///< the whole address if there is no base
  bool in_brackets = true;
  bool is_unified = false;
};

/// `a[4]`, `a[%r1]`, `a[%r1+4]`: PTX ISA 8.7 § 6.4.2.
struct ArrayElement {
  Name array;
  std::vector<Operand> index;  ///< one
};

/// `[tensor_map, {x, y}]`, `[texture, sampler, {u, v}]`.
struct CompositeAddress {
  std::vector<Operand> parts;
  bool is_unified = false;
};

/// `{a, b, _, {c, d}}`.
struct Vector {
  std::vector<Operand> elements;
};

/// `p|q`: two destinations.
struct Pair {
  std::vector<Operand> both;
};

/// `(a, b)`: return values or arguments of a call.
struct Arguments {
  std::vector<Operand> list;
};

/// `_`.
struct Sink {};

struct Operand {
  std::variant<NameOperand, Constant, Address, Vector, Pair, Sink, ArrayElement, CompositeAddress, Arguments>
      is;
  std::string_view text;
};

struct Guard {
  Name predicate;
  bool negated = false;
};

/// Opcode and modifiers. Instructions with the same spelling share one Mnemonic.
struct Mnemonic {
  std::string spelling;                     ///< "ld.global.u32"
  std::string_view opcode;                  ///< as written at its first use
  std::vector<std::string_view> modifiers;  ///< with their dots
};

/// An index into Module::mnemonics.
using MnemonicId = std::uint32_t;

struct Instruction {
  std::string_view text;  ///< opcode to last operand
  MnemonicId mnemonic = 0;
  const Form* form = nullptr;
  std::optional<Guard> guard;
  std::vector<Operand> operands;
};

struct Label {
  Name name;
};

/// An address that is known when the module is loaded: PTX ISA 8.7 § 5.4.4.
struct AddressValue {
  Name base;  ///< a variable or function
  std::int64_t offset = 0;
  bool is_generic = false;  ///< `generic(v)`
  std::uint64_t mask = 0;   ///< `0xFF00(v)`: this byte of it; 0: all of it
};

/// `addr_mode_0 = clamp_to_border`: a member of an opaque type, PTX ISA 8.7 § 5.3.
struct MemberValue {
  std::string_view member;
  std::variant<Constant, std::string_view> value;
};

struct Initializer;

struct InitializerList {
  std::vector<Initializer> elements;
};

/// A list of constants only, as in compiled tables; smaller than an InitializerList.
struct ConstantList {
  std::vector<Constant> elements;
};

struct Initializer {
  std::variant<Constant, ConstantList, InitializerList, AddressValue, MemberValue> is;
  std::string_view text;
};

/// The size of an array dimension; the first may be left open: `a[]`.
using Dimension = std::optional<std::uint64_t>;

/// One of the variables that a declaration declares.
struct Declarator {
  Name name;
  std::optional<std::uint32_t> count;  ///< `%r<100>`
  std::vector<Dimension> dimensions;   ///< `[19][19]`
  std::optional<Initializer> initializer;
};

/// PTX ISA 8.7 § 11.6.
enum class Linkage : std::uint8_t { none, external, visible, weak, common };

/// `.managed`, `.unified(1, 2)`: PTX ISA 8.7 § 5.4.8.
struct Attribute {
  std::string_view text;  ///< its word
  std::optional<std::pair<std::uint64_t, std::uint64_t>> uuid;
};

/// `.ptr .global .align 16` of a kernel parameter: PTX ISA 8.7 § 5.1.6.3.
struct PointerAttribute {
  std::optional<Space> space;   ///< none: generic
  std::uint32_t alignment = 0;  ///< 0: not said
};

/// A declaration of variables, or of one parameter: PTX ISA 8.7 § 5.4.
struct Declaration {
  std::string_view text;
  Linkage linkage = Linkage::none;
  Space space = Space::reg;
  std::uint8_t elements = 1;     ///< of a vector: `.v4`
  std::uint32_t alignment = 0;   ///< bytes; 0: not said
  std::optional<Modifier> type;  ///< always present in a checked module
  std::optional<PointerAttribute> pointer;
  std::vector<Attribute> attributes;
  std::vector<Declarator> declarators;
};

/// `.branchtargets`, `.calltargets`: PTX ISA 8.7 § 11.3.
struct Targets {
  bool are_functions = false;
  Name label;
  struct Target {
    Name name;
    std::optional<std::uint32_t> count;  ///< `N<5>`: N0 to N4
    std::vector<SymbolId> numbered;      ///< these symbols, in a checked module
  };
  std::vector<Target> targets;
};

/// `.callprototype`: PTX ISA 8.7 § 11.3.3.
struct Prototype {
  Name label;
  std::vector<Declaration> returns, parameters;
  bool is_noreturn = false;
};

struct LinePosition {
  std::uint32_t file = 0, line = 0, column = 0;
};

/// `.loc`: PTX ISA 8.7 § 11.5.4.
struct Location {
  std::string_view text;
  LinePosition position;
  std::string_view function_name;  ///< `info_string0 + 4`; empty: not inlined
  LinePosition inlined_at;
};

/// `.pragma "nounroll";`
struct Pragma {
  std::string_view text;
  std::vector<std::string_view> strings;  ///< with their quotes
};

struct Statement;

struct Block {
  std::string_view text;  ///< its first brace
  std::vector<Statement> statements;
};

struct Statement {
  std::variant<Instruction, Label, Declaration, Location, Block, Pragma, Targets, Prototype> is;
};

/// A directive between the header of a function and its body: `.maxntid 256, 1, 1`. PTX ISA 8.7 § 11.4, §
/// 11.7.
struct FunctionDirective {
  std::string_view text;  ///< its word
  std::vector<std::uint64_t> values;
};

/// `.entry` or `.func`: PTX ISA 8.7 § 11.2.
struct Function {
  std::string_view text;  ///< its first word
  Linkage linkage = Linkage::none;
  bool is_entry = false;
  Name name;
  std::vector<Attribute> attributes;
  std::vector<Declaration> returns, parameters;
  std::vector<FunctionDirective> directives;
  std::vector<Pragma> pragmas;
  std::optional<Block> body;

  bool has(std::string_view directive) const;
};

/// `.target sm_90a, debug`: PTX ISA 8.7 § 11.1.2.
struct Target {
  std::string_view text;
  std::vector<std::string_view> names;
};

/// `.alias a, b;`: PTX ISA 8.7 § 11.2.3.
struct Alias {
  std::string_view text;
  Name alias, aliasee;
};

/// `.file 1 "kernel.cu", 1339013327, 64118`: PTX ISA 8.7 § 11.5.3.
struct File {
  std::string_view text;
  std::uint64_t index = 0;
  std::string_view name;  ///< with its quotes
  std::vector<std::uint64_t> time_and_size;
};

/// `.section .debug_info { … }` or `@@DWARF …`: debugging information, kept as written (PTX ISA 8.7 § 11.5).
struct DebugSection {
  std::string_view text;
  std::string_view name;                ///< empty: of a `@@DWARF` line
  std::vector<std::string_view> lines;  ///< `.b8 1, 2`, `label:`
};

struct ModuleStatement {
  std::variant<Declaration, Function, Target, Alias, File, Location, DebugSection, Pragma> is;
};

/// The entity that a name denotes.
struct Symbol {
  enum class Kind : std::uint8_t {
    variable,  ///< including registers and parameters
    special_register,
    function,
    entry,
    label,
    branch_targets,
    call_targets,
    prototype,
  };
  Kind kind = Kind::variable;
  std::string_view name;
  Linkage linkage = Linkage::none;
  Space space = Space::reg;
  enum class Role : std::uint8_t { local, entry_parameter, parameter, return_value };
  Role role = Role::local;       ///< parameters are declared in the header of a function
  std::optional<Modifier> type;  ///< of variables and special registers
  std::uint8_t elements = 1;     ///< of a vector
  std::uint32_t alignment = 0;   ///< bytes; of addressable variables
  bool is_array = false;
  std::uint64_t size = 0;              ///< bytes of a variable; 0: open array, opaque type, predicate
  std::optional<std::uint32_t> count;  ///< `%r<100>`
  std::uint32_t function = 0;  ///< functions: index in Module::statements of its declaration or definition
  const SpecialRegister* special = nullptr;
};

/// A parsed module; it is checked if `check` has found no error.
struct Module {
  std::shared_ptr<const SourceText> source;
  unsigned version = 0;                  ///< 87 for `.version 8.7`
  std::optional<unsigned> address_size;  ///< bits; 32 by default
  std::vector<Mnemonic> mnemonics;
  std::vector<ModuleStatement> statements;
  std::vector<Symbol> symbols;

  /// The position of a part of the module; line 0 if the text is not part of its source.
  SourcePosition position(std::string_view part) const;
};

}  // namespace ptxmc::syntax
