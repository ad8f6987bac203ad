#include "semantics/language/notation_scanner.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <stdexcept>

namespace ptxmc {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The end of the comment that begins at `at`; `at` itself if none begins there.
std::size_t after_comment(std::string_view text, std::size_t at) {
  if (text[at] != '/' || !text.substr(at).starts_with("//")) return at;
  return std::min(text.find('\n', at), text.size());
}

}  // namespace

void NotationScanner::fail(const std::string& expected) const {
  throw std::logic_error("notation `" + std::string(text_) + "`: expected " + expected + " before `" +
                         std::string(text_.substr(at_)) + "`");
}

void NotationScanner::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

bool NotationScanner::at_end() {
  skip_blanks();
  return at_ == text_.size();
}

bool NotationScanner::next_is(std::string_view token) {
  skip_blanks();
  return text_.substr(at_).starts_with(token);
}

bool NotationScanner::accept(std::string_view token) {
  if (!next_is(token)) return false;
  at_ += token.size();
  return true;
}

void NotationScanner::expect(std::string_view token) {
  if (!accept(token)) fail("`" + std::string(token) + "`");
}

bool NotationScanner::next_is_number() {
  skip_blanks();
  const std::size_t digit = text_.find_first_not_of("{- ", at_);
  return digit != std::string_view::npos && std::isdigit(static_cast<unsigned char>(text_[digit])) != 0;
}

std::string NotationScanner::modifier() {
  if (!next_is(".")) return {};
  std::size_t end = at_ + 1;
  while (end < text_.size() && (is_name_character(text_[end]) ||
                                (text_.substr(end).starts_with("::") && end + 2 < text_.size() &&
                                 is_name_character(text_[end + 2])) ||
                                (text_[end] == ':' && text_[end - 1] == ':')))
    ++end;
  return take(end);
}

std::string NotationScanner::name() {
  skip_blanks();
  std::size_t end = at_;
  while (end < text_.size() && (is_name_character(text_[end]) || (text_[end] == '-' && end > at_))) ++end;
  if (end == at_) fail("a name");
  return take(end);
}

unsigned NotationScanner::number() {
  skip_blanks();
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  if (error != std::errc()) fail("a number");
  at_ = static_cast<std::size_t>(end - text_.data());
  return value;
}

std::string NotationScanner::take(std::size_t end) {
  std::string taken(text_.substr(at_, end - at_));
  at_ = end;
  return taken;
}

std::vector<std::string> statements_of(std::string_view declaration) {
  std::vector<std::string> statements(1);
  for (std::size_t i = 0; i < declaration.size(); ++i) {
    i = after_comment(declaration, i);
    if (i == declaration.size()) break;
    std::string& statement = statements.back();
    if (declaration[i] == ';') {
      statements.emplace_back();
    } else if (!is_blank(declaration[i])) {
      statement += declaration[i];
    } else if (!statement.empty() && statement.back() != ' ') {
      statement += ' ';
    }
  }
  for (std::string& statement : statements)
    if (statement.ends_with(' ')) statement.pop_back();
  if (!statements.back().empty()) throw std::logic_error("notation `" + statements.back() + "` without `;`");
  statements.pop_back();
  return statements;
}

}  // namespace ptxmc
