#include "src/ptx/token_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxmc::syntax {

namespace {

/// `#line 7`, `# 7 "a.ptx"`: line markers that the preprocessor leaves are ignored. Other lines with `#` are
/// directives that the preprocessor should have removed.
bool is_left_by_preprocessor(std::string_view line) {
  constexpr std::array<std::string_view, 4> left = {"line", "file", "pragma", "ident"};
  const Token directive = read_token(line, 1);
  return directive.kind == TokenKind::number || directive.kind == TokenKind::end ||
         std::find(left.begin(), left.end(), directive.text) != left.end();
}

}  // namespace

TokenStream::TokenStream(const SourceText& source) : source_(source), text_(source.text()) { read_from(0); }

std::size_t TokenStream::offset_of(std::string_view text) const {
  return static_cast<std::size_t>(text.data() - text_.data());
}

void TokenStream::read_from(std::size_t offset) {
  token_ = read_token(text_, offset);
  while (token_.kind == TokenKind::preprocessor && is_left_by_preprocessor(token_.text))
    token_ = read_token(text_, offset_of(token_.text) + token_.text.size());
}

Token TokenStream::peek_second() const {
  return read_token(text_, offset_of(token_.text) + token_.text.size());
}

bool TokenStream::next_is(char punctuation) const {
  return token_.kind == TokenKind::punctuation && token_.text[0] == punctuation;
}

Token TokenStream::take() {
  const Token taken = token_;
  if (next_is('{')) ++depth_;
  if (next_is('}')) --depth_;
  last_end_ = offset_of(token_.text) + token_.text.size();
  read_from(last_end_);
  return taken;
}

bool TokenStream::accept(char punctuation) {
  if (!next_is(punctuation)) return false;
  take();
  return true;
}

bool TokenStream::accept(std::string_view text) {
  if (!next_is(text)) return false;
  take();
  return true;
}

void TokenStream::expect(char punctuation) {
  if (!accept(punctuation)) fail(fmt::format("'{}'", punctuation));
}

Token TokenStream::expect(TokenKind kind, std::string_view what) {
  if (token_.kind != kind) fail(what);
  return take();
}

void TokenStream::fail(std::string_view expected) const {
  const std::size_t offset = offset_of(token_.text);
  if (token_.kind == TokenKind::unknown && token_.text == "/*")
    throw InputError(source_.file(), source_.position(offset), "found '/*', expected '*/' after it");
  if (token_.kind == TokenKind::unknown && token_.text == "\"")
    throw source_.expected(std::min(text_.find('\n', offset), text_.size()), "'\"', the end of the string");
  if (token_.kind == TokenKind::preprocessor)
    throw InputError(source_.file(), source_.position(offset),
                     fmt::format("found '#{}', expected a module on which the C preprocessor has been run",
                                 read_token(token_.text, 1).text));
  throw source_.expected(offset, expected);
}

NestingLevel TokenStream::nested() {
  return {levels_, [&](const std::string& message) {
            throw InputError(source_.file(), source_.position(offset_of(token_.text)), message);
          }};
}

std::string_view TokenStream::expect_name(std::string_view what) {
  const bool is_name = token_.kind == TokenKind::identifier && token_.text != "_" &&
                       token_.text != "WARP_SZ" && token_.text.find('.') == std::string_view::npos;
  if (!is_name) fail(what);
  return take().text;
}

std::string_view TokenStream::expect_name_or_sink(std::string_view what) {
  return next_is("_") ? take().text : expect_name(what);
}

bool TokenStream::at_constant() const {
  if (token_.kind == TokenKind::number || token_.text == "WARP_SZ") return true;
  if (token_.kind == TokenKind::word) return token_.text.size() > 1 && token_.text[1] <= '9';  // `.5`
  return next_is('(') || next_is('+') || next_is('-') || next_is('!') || next_is('~');
}

void TokenStream::fail_at(std::string_view token, std::string_view expected) const {
  throw source_.expected(offset_of(token), expected);
}

Constant TokenStream::take_constant(const ConstantText& constant) {
  last_end_ = offset_of(token_.text) + constant.length;
  read_from(last_end_);
  return constant.value;
}

Constant TokenStream::expect_constant() {
  const std::size_t begin = offset_of(token_.text);
  try {
    return take_constant(parse_constant_expression(text_.substr(begin)));
  } catch (const ConstantTextError& error) {
    if (error.message.empty()) throw source_.expected(begin + error.offset, "a constant");
    throw InputError(source_.file(), source_.position(begin + error.offset), error.message);
  }
}

std::uint64_t TokenStream::expect_integer(std::string_view what, std::uint64_t most) {
  const std::size_t begin = offset_of(token_.text);
  ConstantText constant;
  try {
    constant = parse_constant_literal(text_.substr(begin));
  } catch (const ConstantTextError&) {
    fail(what);
  }
  if (!constant.value.is_integer() || constant.value.bits > most) fail(what);
  return take_constant(constant).bits;
}

std::string_view TokenStream::take_line() {
  const std::size_t begin = offset_of(token_.text);
  last_end_ = std::min(text_.find('\n', begin), text_.size());
  read_from(last_end_);
  return text_.substr(begin, last_end_ - begin);
}

std::string_view TokenStream::text_since(std::string_view first) const {
  const std::size_t begin = offset_of(first);
  return text_.substr(begin, last_end_ - begin);
}

void TokenStream::skip_statement(int depth_of_statement) {
  while (!at_end() && !(depth_ <= depth_of_statement && next_is('}'))) {
    const bool is_last = next_is(';');
    take();
    if (is_last) break;
  }
  depth_ = depth_of_statement;
}

}  // namespace ptxmc::syntax
