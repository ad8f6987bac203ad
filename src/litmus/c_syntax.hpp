#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "semantics/language/effects.hpp"
#include "semantics/language/source_position.hpp"
#include "src/litmus/litmus_syntax.hpp"

/// The syntax tree of the function of a thread in a C++ litmus test. Names are not resolved.
namespace ptxmc::c_syntax {

using litmus_syntax::Name;

/// The scope of an atomic operation; `none` is that of the thread alone (`thread_scope_thread`).
using AtomicScope = Scope;

/// A scalar type, a pointer to it, or a reference.
struct CType {
  unsigned width = 32;  ///< bits
  bool is_signed = true;
  bool is_bool = false;
  bool is_void = false;
  bool is_auto = false;
  bool is_volatile = false;
  bool is_atomic = false;
  bool is_atomic_reference = false;  ///< `atomic_ref<int>`
  bool is_pointer = false;
  bool is_reference = false;
  bool is_barrier = false;           ///< `cuda::barrier<thread_scope_block>`, in a word of 64 bits
  std::optional<AtomicScope> scope;  ///< `atomic<int, thread_scope_device>`

  friend bool operator==(const CType&, const CType&) = default;
};

struct Expression {
  enum class Kind {
    number,
    name,          ///< `x`
    unary,         ///< `-a`, `*p`, `&x`, `++i`
    postfix,       ///< `i++`
    binary,        ///< `a + b`
    conditional,   ///< `c ? a : b`
    assignment,    ///< `a = b`, `a += b`
    index,         ///< `a[i]`
    cast,          ///< `(int)a`
    construction,  ///< `atomic_ref<int>(*x)`
    call,          ///< `atomic_load(x)`
    member_call,   ///< `x->load()`, `x.load()`: the first operand is the object itself
  };
  Kind kind = Kind::number;
  std::string text;                 ///< the operator, or the name without namespaces
  std::size_t first = 0, last = 0;  ///< offsets; [first, last)
  std::uint64_t number = 0;
  CType type;  ///< number, cast, construction
  std::vector<Expression> operands;
  unsigned depth = 1;  ///< levels of the tree
};

struct Declarator {
  Name name;
  CType type;
  std::optional<Expression> initial;
};

struct Statement {
  enum class Kind { block, declaration, expression, if_, while_, do_, for_, break_, continue_, return_ };
  Kind kind = Kind::block;
  SourcePosition where;
  std::size_t first = 0, last = 0;  ///< offsets; [first, last)
  std::vector<Declarator> declarators;
  /// expression: one; if, while, do: the condition; for: condition and step, each at most once.
  std::vector<Expression> expressions;
  std::vector<Statement>
      statements;             ///< block: all; if: then, else; loops: the body; for: also the beginning
  bool has_condition = true;  ///< for
};

struct Parameter {
  CType type;
  Name name;
};

struct Function {
  std::vector<Parameter> parameters;
  Statement body;
};

}  // namespace ptxmc::c_syntax
