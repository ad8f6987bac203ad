#include "src/litmus/c_tokens.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>

#include "semantics/language/characters.hpp"

namespace ptxmc {

namespace {

/// Longer symbols stand before their beginnings.
constexpr std::array<std::string_view, 22> long_symbols = {
    "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::"};

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

}  // namespace

CTokens::CTokens(const SourceText& source, std::size_t first, std::size_t last)
    : source_(source), end_(last), previous_end_(first), current_(scan(first)) {}

CToken CTokens::advance() {
  const CToken token = current_;
  previous_end_ = token.last;
  current_ = scan(token.last);
  return token;
}

bool CTokens::skip(std::string_view text) {
  if (!is(text)) return false;
  advance();
  return true;
}

void CTokens::require(std::string_view text) {
  if (!skip(text)) fail(fmt::format("'{}'", text));
}

void CTokens::fail(std::string_view expected) const { throw source_.expected(current_.first, expected); }

CToken CTokens::scan(std::size_t from) const {
  const std::string_view text = source_.text();
  while (from < end_ && std::isspace(static_cast<unsigned char>(text[from])) != 0) ++from;
  if (from >= end_) return {CToken::Kind::end, {}, end_, end_};
  std::size_t last = from;
  auto kind = CToken::Kind::symbol;
  const auto pass_name = [&] {
    while (last < end_ && continues_name(text[last])) ++last;
  };
  if (is_digit(text[from])) {
    kind = CToken::Kind::number;
    pass_name();
    if (last < end_ && text[last] == '.') throw source_.expected(from, "an integer");
  } else if (begins_name(text[from])) {
    kind = CToken::Kind::name;
    pass_name();
    while (last + 2 < end_ && text.substr(last, 2) == "::" && begins_name(text[last + 2])) {
      last += 2;
      pass_name();
    }
  } else {
    last = from + 1;
    for (const std::string_view symbol : long_symbols)
      if (text.substr(from, std::min(symbol.size(), end_ - from)) == symbol) {
        last = from + symbol.size();
        break;
      }
  }
  return {kind, text.substr(from, last - from), from, last};
}

}  // namespace ptxmc
