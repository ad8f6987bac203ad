#include "src/report/columns.hpp"

#include <algorithm>
#include <utility>

#include "semantics/language/visible_text.hpp"

namespace ptxmc {

namespace {

std::string colored(const Cell& cell, bool color) {
  if (!color || cell.text.empty()) return cell.text;
  switch (cell.color) {
    case Color::plain:
      return cell.text;
    case Color::good:
      return "\x1b[32m" + cell.text + "\x1b[0m";
    case Color::bad:
      return "\x1b[1;31m" + cell.text + "\x1b[0m";
    case Color::doubtful:
      return "\x1b[33m" + cell.text + "\x1b[0m";
  }
  return cell.text;
}

std::string line_text(const std::vector<Cell>& cells, const std::vector<Column>& columns,
                      const std::vector<std::size_t>& widths, bool color) {
  std::string line, pending;  // blanks are written only if text follows
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string blanks(widths[i] - display_width(cells[i].text), ' ');
    if (columns[i].alignment == Alignment::right) pending += blanks;
    if (!cells[i].text.empty()) line += std::exchange(pending, "") + colored(cells[i], color);
    if (columns[i].alignment == Alignment::left) pending += blanks;
    pending += "  ";
  }
  return line + "\n";
}

}  // namespace

std::string columns_text(const std::vector<Column>& columns, std::vector<std::vector<Cell>> lines,
                         bool color) {
  for (auto& line : lines)
    for (Cell& cell : line) cell.text = visible_line(cell.text);
  std::vector<Cell> headings;
  std::vector<std::size_t> widths;
  for (const Column& column : columns) {
    headings.push_back({column.heading});
    widths.push_back(display_width(column.heading));
  }
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], display_width(line[i].text));
  std::string text = line_text(headings, columns, widths, color);
  for (const auto& line : lines) text += line_text(line, columns, widths, color);
  return text;
}

}  // namespace ptxmc
