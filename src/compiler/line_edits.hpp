#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxmc {

/// A change of one line of a text: other lines stand in its place.
struct LineEdit {
  std::uint32_t line = 0;          ///< the first one is 1
  std::vector<std::string> lines;  ///< without line ends; empty: the line is removed

  friend bool operator==(const LineEdit&, const LineEdit&) = default;
};

/// The lines of a text, without line ends.
std::vector<std::string> lines_of(std::string_view text);

/// The text with these edits, which are in the order of their lines, one for each line.
std::string with_edits(std::string_view text, const std::vector<LineEdit>&);

/// Where a line is in the text with these edits. Lines are inserted before it: the last line of its edit is
/// its own.
std::uint32_t moved_line(std::uint32_t line, const std::vector<LineEdit>&);

/// The edits as a unified diff with three lines of context, as `patch -p0` reads it. Empty without edits.
std::string unified_diff(std::string_view text, const std::vector<LineEdit>&, std::string_view file);

}  // namespace ptxmc
