#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ptxmc {

/// Text for a terminal. Line ends and tabs are kept; other control characters, characters that change the
/// direction of text or separate lines, and bytes that are not UTF-8 are written as `\x1b`, `\u202e`, `\r`.
std::string visible(std::string_view text);

/// The same for text that is part of one line, such as the name of a file: line ends and tabs are written as
/// `\n` and `\t`.
std::string visible_line(std::string_view text);

/// The number of characters of a UTF-8 text.
std::size_t display_width(std::string_view text);

/// A source line and a caret below a column (in bytes, starting at 1), both indented by two blanks, with
/// characters as `visible` writes them. Empty for a blank line, one of more than 200 bytes, and a column
/// beyond its end.
std::string marked_line(std::string_view line, std::uint32_t column);

/// A JSON text with the characters that `visible` escapes written as JSON's own escapes. It is valid UTF-8.
std::string visible_json(std::string_view json);

}  // namespace ptxmc
