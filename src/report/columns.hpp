#pragma once

#include <string>
#include <vector>

namespace ptxmc {

enum class Color { plain, good, bad, doubtful };
enum class Alignment { left, right };

struct Cell {
  std::string text;
  Color color = Color::plain;
};

struct Column {
  std::string heading;
  Alignment alignment = Alignment::left;
};

/// Aligned columns under their headings; a line has a cell for each column. `color` adds ANSI escapes.
std::string columns_text(const std::vector<Column>&, std::vector<std::vector<Cell>> lines, bool color);

}  // namespace ptxmc
