#pragma once

#include <string>
#include <string_view>

#include "semantics/language/source_text.hpp"

namespace ptxmc {

/// A word of C++. Names keep their namespaces: `cuda::atomic_ref` is one token.
struct CToken {
  enum class Kind { name, number, symbol, end };
  Kind kind = Kind::end;
  std::string_view text;
  std::size_t first = 0, last = 0;  ///< offsets; [first, last)
};

/// The tokens of a part of a text without comments, one after the other.
class CTokens {
 public:
  /// Reads [first, last).
  CTokens(const SourceText& source, std::size_t first, std::size_t last);

  const CToken& current() const { return current_; }
  /// The token behind the current one.
  CToken next() const { return scan(current_.last); }
  /// Goes on; returns the token that was current.
  CToken advance();

  bool is(std::string_view text) const {
    return current_.kind != CToken::Kind::end && current_.kind != CToken::Kind::number &&
           current_.text == text;
  }
  /// Goes on if the current token has this text.
  bool skip(std::string_view text);
  /// Throws InputError `found …, expected what`.
  void require(std::string_view text);

  [[noreturn]] void fail(std::string_view expected) const;
  const SourceText& source() const { return source_; }
  std::size_t previous_end() const { return previous_end_; }

 private:
  CToken scan(std::size_t from) const;

  const SourceText& source_;
  std::size_t end_;
  std::size_t previous_end_;
  CToken current_;
};

}  // namespace ptxmc
