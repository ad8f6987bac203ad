#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/ptx/constant.hpp"

namespace ptxmc::syntax {

enum class TokenKind : std::uint8_t {
  end,
  identifier,    ///< including dotted parts: `ld.shared::cta.u32`, `%tid.x`, `%r1`
  word,          ///< begins with a dot: `.version`, `.L2::cache_hint`
  number,        ///< the beginning of a constant; parse_constant_expression reads all of it
  string,        ///< with its quotes
  punctuation,   ///< one character
  preprocessor,  ///< `#` and the rest of the line
  unknown,       ///< one byte that begins no token, or a comment or string that does not end
};

/// A token is a view of the source text, so its position follows from it.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
};

/// The first token at or after an offset: PTX ISA 8.7 § 4.1 to § 4.5. Blanks and comments are skipped.
Token read_token(std::string_view source, std::size_t offset);

struct ConstantText {
  Constant value;
  std::size_t length = 0;  ///< of its text, in bytes
};

/// An error at an offset of the given text.
struct ConstantTextError {
  std::size_t offset = 0;
  std::string message;
};

/// The longest constant expression (for a literal: without operators) at the beginning of `text`. Throws
/// ConstantTextError.
ConstantText parse_constant_expression(std::string_view text);
ConstantText parse_constant_literal(std::string_view text);

}  // namespace ptxmc::syntax
