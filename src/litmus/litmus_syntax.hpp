#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "semantics/language/source_text.hpp"

/// The syntax tree of a litmus file. Names are not resolved, and only the syntax is checked.
namespace ptxmc::litmus_syntax {

struct Name {
  std::string text;
  SourcePosition where;
};

/// An integer modulo 2^64, or the bits of a floating-point number. Decimal integers are between -2^63 and
/// 2^63 - 1; hexadecimal integers are bits.
struct Number {
  enum class Notation {
    decimal,
    hexadecimal,
    f64,  ///< `1.5`, `0d3ff8000000000000`
    f32,  ///< `1.5f`, `0f3fc00000`
  };
  std::uint64_t bits = 0;
  SourcePosition where;
  Notation notation = Notation::decimal;

  bool is_integer() const { return notation == Notation::decimal || notation == Notation::hexadecimal; }
};

/// `P1` or `1`.
struct ThreadName {
  std::uint64_t number = 0;
  SourcePosition where;
};

/// `x`, `a[2]`, `cta0:x`, `gpu1:cta0:x`; in an address also `x+8`.
struct Place {
  std::vector<Name> instance;  ///< `gpu1`, `cta0`
  Name variable;
  std::optional<Number> element;
};

/// `P1:r0`.
struct ThreadRegister {
  ThreadName thread;
  Name name;
};

/// A part of the text: offsets [first, last).
struct Part {
  std::size_t first = 0, last = 0;
};

// ---- initial state ----

/// A number, or the address of a place plus an optional number of bytes.
struct InitialValue {
  enum class Kind { number, address };
  Kind kind = Kind::number;
  Number number;  ///< the value; with an address: added to it
  Place place;
};

/// `P0:r1 = 1`, `P0:f1 : f32 = 1.5`, `P0:f1 : f32`.
struct RegisterInitialisation {
  ThreadRegister target;
  std::optional<Name> type;  ///< "f32"
  std::optional<InitialValue> value;
};

/// `x`, `x = 1`, `.shared x : u32 = 0`, `a : u32[4] = {1, 2}`.
struct VariableDeclaration {
  bool is_shared = false;
  Name name;
  std::optional<Name> type;        ///< "u32"
  std::optional<Part> cpp_type;    ///< in a C++ test instead: `atomic_int`
  std::optional<Number> elements;  ///< of an array
  bool has_list = false;           ///< the values are in braces
  std::vector<InitialValue> values;
};

/// `y @ generic aliases x`.
struct AliasDeclaration {
  Name name;
  Name proxy;
  Name target;
};

// ---- code ----

/// `P0@warp 0,cta 0,cluster 0,gpu 0,grid 0`, or `P0`: a thread that is alone in a CTA of GPU 0.
struct ThreadHeader {
  ThreadName name;
  bool is_placed = false;
  std::optional<Number> warp;
  Number cta;
  std::optional<Number> cluster;
  Number gpu;
  std::optional<Number> grid = {};
};

struct Operand {
  enum class Kind {
    name,     ///< a register, a bare location or a label: `r0`, `x`, `a[1]`, `_`
    number,   ///< `-1`
    address,  ///< `[r0+8]`, `[x]`
    vector,   ///< `{r0, r1}`
  };
  Kind kind = Kind::name;
  SourcePosition where;
  bool is_negated = false;        ///< `!p`
  Place place;                    ///< name; address, unless it is a number alone
  bool has_place = true;          ///< address: false for `[4096]`
  Number number;                  ///< number; address: the bytes added
  std::vector<Operand> elements;  ///< vector
};

struct Guard {
  bool is_negated = false;
  Name predicate;
};

struct Instruction {
  SourcePosition where;
  std::string text;  ///< as written
  std::optional<Guard> guard;
  Name opcode;  ///< with its modifiers: "ld.relaxed.gpu"
  std::vector<Operand> operands;
};

/// The text between two bars, and the mark that ends it. A `;` ends a row; in PTX's own spelling it ends only
/// the instruction: `ld.weak.u32 %r0, [x]; | …`.
struct Cell {
  std::vector<Name> labels;
  std::optional<Instruction> instruction;
  Name end;  ///< "|" or ";"

  bool is_empty() const { return labels.empty() && !instruction; }
};

/// The code of a thread: cells of a File, in their order.
using Column = std::vector<const Cell*>;

// ---- condition ----

struct Term {
  enum class Kind { number, thread_register, place };
  Kind kind = Kind::number;
  SourcePosition where;
  Number number;
  ThreadRegister thread_register;
  Place place;
};

struct Proposition {
  enum class Kind { truth, compare, conjunction, disjunction };
  Kind kind = Kind::truth;
  bool is_negated = false;
  std::string comparison;  ///< compare: "=", "==", "!=", "<>", "<", "<=", ">", ">="
  Term left, right;        ///< compare
  std::vector<Proposition> operands;
};

struct File {
  Name name;
  std::vector<std::string> documentation;
  std::vector<RegisterInitialisation> registers;
  std::vector<VariableDeclaration> variables;
  std::vector<AliasDeclaration> aliases;
  std::vector<ThreadHeader> threads;
  bool has_header = false;      ///< all threads are named: code begins
  std::vector<Cell> cells;      ///< row by row
  bool is_cpp = false;          ///< the header is `C name`
  std::vector<Part> functions;  ///< of a C++ test, by thread: `(parameters) { body }`
  std::string quantifier;       ///< "exists", "~exists", "forall"
  Proposition condition;
  std::optional<Proposition> filter;
  std::vector<Term> locations;
};

/// A syntax error, and the part of the file that contains it: a cell of the code, or an entry of the initial
/// state, which the parser can skip to continue.
struct SyntaxError : InputError {
  SyntaxError(const InputError& error, std::optional<Part> part) : InputError(error), part(part) {}
  std::optional<Part> part;
};

/// Parses a text without comments (src/litmus/comments.hpp). Throws SyntaxError `found …, expected …` at the
/// first character that no litmus file can have there, and InputError for a number that is too large.
File parse(const SourceText&);

}  // namespace ptxmc::litmus_syntax
