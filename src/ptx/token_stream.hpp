#pragma once

#include "semantics/language/nesting.hpp"
#include "semantics/language/source_text.hpp"
#include "src/ptx/lexical.hpp"

namespace ptxmc::syntax {

/// The tokens of a source, with one token of lookahead. An unexpected token is an InputError `found …,
/// expected …` at the token. Lines of the preprocessor (`#line 7`) are skipped.
class TokenStream {
 public:
  explicit TokenStream(const SourceText&);

  const Token& peek() const { return token_; }
  Token peek_second() const;
  bool at_end() const { return token_.kind == TokenKind::end; }
  bool next_is(char punctuation) const;
  bool next_is(std::string_view text) const { return token_.text == text; }

  Token take();
  bool accept(char punctuation);
  bool accept(std::string_view text);
  void expect(char punctuation);
  Token expect(TokenKind, std::string_view what);
  [[noreturn]] void fail(std::string_view expected) const;
  [[noreturn]] void fail_at(std::string_view token, std::string_view expected) const;

  /// An identifier without selectors.
  std::string_view expect_name(std::string_view what);
  /// The same, or `_`.
  std::string_view expect_name_or_sink(std::string_view what);
  /// Whether the next token begins a constant.
  bool at_constant() const;
  Constant expect_constant();
  /// A single integer literal.
  std::uint64_t expect_integer(std::string_view what, std::uint64_t most = ~std::uint64_t{0});
  /// The rest of the line, from the next token on.
  std::string_view take_line();

  /// From the beginning of a token to the end of the last token taken.
  std::string_view text_since(std::string_view first) const;

  /// Opens a level of nesting at the next token.
  NestingLevel nested();

  /// The number of open braces. After an error the statement is skipped up to its `;`, or up to the `}` of
  /// its block.
  int depth() const { return depth_; }
  void skip_statement(int depth_of_statement);

 private:
  std::size_t offset_of(std::string_view text) const;
  void read_from(std::size_t offset);
  Constant take_constant(const ConstantText&);

  const SourceText& source_;
  std::string_view text_;
  Token token_;
  std::size_t last_end_ = 0;  // of the last token taken
  int depth_ = 0;
  unsigned levels_ = 0;
};

}  // namespace ptxmc::syntax
