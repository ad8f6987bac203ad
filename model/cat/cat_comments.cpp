#include "model/cat/cat_comments.hpp"

#include <algorithm>
#include <string_view>

namespace ptxmc::cat::syntax {

namespace {

void check_is_text(const SourceText& source) {
  constexpr std::string_view blanks = "\t\n\v\f\r";
  const std::string& text = source.text();
  const auto binary = std::find_if(text.begin(), text.end(), [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && blanks.find(c) == std::string_view::npos) || byte == 0x7f;
  });
  if (binary != text.end()) throw source.expected(static_cast<std::size_t>(binary - text.begin()), "text");
}

/// The end of the comment that begins at `start`.
std::size_t comment_end(const SourceText& source, std::size_t start) {
  const std::string_view text = source.text();
  std::size_t depth = 0;
  for (std::size_t at = start; at + 1 < text.size();) {
    const std::string_view two = text.substr(at, 2);
    if (two != "(*" && two != "*)") {
      ++at;
      continue;
    }
    at += 2;
    depth = two == "(*" ? depth + 1 : depth - 1;
    if (depth == 0) return at;
  }
  throw InputError(source.file(), source.position(start), "comment without end, expected '*)'");
}

std::size_t string_end(const SourceText& source, std::size_t start) {
  const std::size_t quote = source.text().find('"', start + 1);
  if (quote == std::string::npos)
    throw InputError(source.file(), source.position(start), "string without end, expected '\"'");
  return quote + 1;
}

}  // namespace

std::string without_comments(const SourceText& source) {
  check_is_text(source);
  std::string text = source.text();
  std::size_t at = 0;
  while ((at = text.find_first_of("\"(/#", at)) != std::string::npos) {
    const std::string_view begin = std::string_view(text).substr(at, 2);
    std::size_t end = at + 1;
    const bool is_block = begin == "(*", is_line = begin == "//" || begin[0] == '#';
    if (begin[0] == '"') end = string_end(source, at);
    if (is_block) end = comment_end(source, at);
    if (is_line) end = std::min(text.find('\n', at), text.size());
    if (is_block || is_line)
      std::replace_if(
          text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end),
          [](char c) { return c != '\n'; }, ' ');
    at = end;
  }
  return text;
}

}  // namespace ptxmc::cat::syntax
