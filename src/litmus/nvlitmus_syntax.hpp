#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/litmus/litmus_syntax.hpp"

/// The syntax tree of a test of NVIDIA's mixed-proxy tool, with one line of its table inserted.
namespace ptxmc::nvlitmus_syntax {

using litmus_syntax::Name;
using litmus_syntax::Number;

/// `.global x;`, `.global .u32 x = 1;`, `.surfref s virtually aliases x;`.
struct Declaration {
  Name space;  ///< "global"
  std::optional<Name> type;
  Name name;
  std::optional<Number> value;
  std::optional<Name> target;  ///< of an alias
};

/// `ld r0, [x] == 1;`: with a number, only executions in which the instruction reads this number count.
struct Statement {
  litmus_syntax::Instruction instruction;
  std::optional<Number> read;
};

/// `d0.b0.t0 { … }`.
struct ThreadCode {
  Number device, block, thread;
  std::vector<Statement> statements;
};

/// `assert (r0 == 1) as name;`: registers are represented as places until they are resolved.
struct Question {
  Name kind;  ///< "assert", "permit", "check"
  litmus_syntax::Proposition condition;
  Name name;
};

struct File {
  std::vector<Declaration> declarations;
  std::vector<ThreadCode> threads;
  std::vector<Question> questions;
};

/// Throws InputError `found …, expected …` at the first character that no such test can have there.
File parse(const SourceText&);

}  // namespace ptxmc::nvlitmus_syntax
