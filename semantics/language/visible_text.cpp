#include "semantics/language/visible_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ptxmc {

namespace {

/// The first character of a text.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool is_valid = false;  ///< false: one byte that is not UTF-8
};

/// RFC 3629: a character must be the shortest sequence, not a surrogate, and at most U+10FFFF.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {lead, 1, false};
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {lead, 1, false};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {lead, 1, false};
  return {code, bytes, true};
}

bool is_between(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

/// Control characters (C0, DEL, C1), those of the bidirectional algorithm, line and paragraph separators.
bool is_control(char32_t code) {
  return code < 0x20 || is_between(code, 0x7f, 0x9f) || code == 0x061c || is_between(code, 0x200e, 0x200f) ||
         is_between(code, 0x2028, 0x202e) || is_between(code, 0x2066, 0x2069);
}

std::string escaped(const Character& character) {
  if (!character.is_valid || character.code < 0x80) {
    if (character.is_valid && character.code == '\r') return "\\r";
    if (character.is_valid && character.code == '\n') return "\\n";
    if (character.is_valid && character.code == '\t') return "\\t";
    return fmt::format("\\x{:02x}", static_cast<unsigned>(character.code));
  }
  return fmt::format("\\u{:04x}", static_cast<unsigned>(character.code));
}

/// The text with the characters that `is_to_escape` chooses, and bytes that are not UTF-8, escaped.
template <class Predicate>
std::string escape(std::string_view text, const Predicate& is_to_escape) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.is_valid || is_to_escape(character.code))
      result += escaped(character);
    else
      result += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace

std::string visible(std::string_view text) {
  return escape(text, [](char32_t code) { return is_control(code) && code != '\n' && code != '\t'; });
}

std::string visible_line(std::string_view text) { return escape(text, is_control); }

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

std::string marked_line(std::string_view line, std::uint32_t column) {
  constexpr std::size_t longest = 200;
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool is_blank = line.find_first_not_of(" \t") == std::string_view::npos;
  if (is_blank || line.size() > longest || column == 0 || column > line.size() + 1) return {};
  std::string margin;  // tabs are kept, so that the caret has the position of the text on a terminal
  for (const char c : visible(line.substr(0, column - 1)))
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) margin += c == '\t' ? '\t' : ' ';
  return fmt::format("  {}\n  {}^\n", visible(line), margin);
}

std::string visible_json(std::string_view json) {
  // Such characters only occur in strings, where JSON has the same escape.
  return escape(json, [](char32_t code) { return code >= 0x80 && is_control(code); });
}

}  // namespace ptxmc
