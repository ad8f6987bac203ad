#include "src/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "src/report/answer.hpp"

namespace ptxmc {

namespace {

enum class Color { plain, good, bad, doubtful };
enum class Alignment { left, right };

struct Cell {
  std::string text;
  Color color = Color::plain;
};

struct Column {
  Cell heading;
  Alignment alignment = Alignment::left;
  Cell (*cell)(const TableRow&) = nullptr;
};

Cell verdict_cell(const TableRow& row) {
  if (row.failed) return {"error", Color::bad};
  return {row.word.empty() ? verdict_text(row.verdict) : row.word,
          row.verdict == Verdict::unknown ? Color::doubtful : Color::plain};
}

Cell holds_cell(const TableRow& row) {
  if (row.failed) return {"-"};
  if (!row.holds) return {"?", Color::doubtful};
  return {*row.holds ? "yes" : "no"};
}

Cell expectation_cell(const TableRow& row) {
  if (!row.as_expected) return {"-"};
  return *row.as_expected ? Cell{"✓", Color::good} : Cell{"✗", Color::bad};
}

Cell states_cell(const TableRow& row) {
  if (row.failed) return {"-"};
  return {fmt::format("{}{}", row.states, row.states_complete ? "" : "+")};
}

Cell executions_cell(const TableRow& row) { return {row.executions ? std::to_string(*row.executions) : "-"}; }

std::vector<Column> columns_for(std::span<const TableRow> rows) {
  const auto name = [](const TableRow& row) { return Cell{row.name}; };
  const auto model = [](const TableRow& row) { return Cell{row.model}; };
  const auto time = [](const TableRow& row) { return Cell{fmt::format("{:.3f} s", row.seconds)}; };
  const auto reason = [](const TableRow& row) { return Cell{row.reason, Color::doubtful}; };

  std::vector<Column> columns = {{{"test"}, Alignment::left, name},
                                 {{"model"}, Alignment::left, model},
                                 {{"verdict"}, Alignment::left, verdict_cell},
                                 {{"holds"}, Alignment::left, holds_cell}};
  if (std::ranges::any_of(rows, [](const TableRow& row) { return row.as_expected.has_value(); }))
    columns.push_back({{"expected"}, Alignment::left, expectation_cell});
  columns.push_back({{"states"}, Alignment::right, states_cell});
  if (std::ranges::any_of(rows, [](const TableRow& row) { return row.executions.has_value(); }))
    columns.push_back({{"executions"}, Alignment::right, executions_cell});
  columns.push_back({{"time"}, Alignment::right, time});
  columns.push_back({{""}, Alignment::left, reason});
  return columns;
}

/// In characters: the bytes of UTF-8 that begin one.
std::size_t display_width(const std::string& text) {
  return std::ranges::count_if(text, [](unsigned char c) { return (c & 0xc0) != 0x80; });
}

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
  std::string line, pending;  // blanks are written only when something follows
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string blanks(widths[i] - display_width(cells[i].text), ' ');
    if (columns[i].alignment == Alignment::right) pending += blanks;
    if (!cells[i].text.empty()) line += std::exchange(pending, "") + colored(cells[i], color);
    if (columns[i].alignment == Alignment::left) pending += blanks;
    pending += "  ";
  }
  return line + "\n";
}

std::string totals_text(std::span<const TableRow> rows) {
  const auto with = [&](auto property) { return std::ranges::count_if(rows, property); };
  const auto verdicts = [&](Verdict verdict) {
    return with([=](const TableRow& row) { return !row.failed && row.verdict == verdict; });
  };
  double seconds = 0;
  for (const TableRow& row : rows) seconds += row.seconds;

  std::string text =
      fmt::format("{} test{}: {} allowed, {} forbidden, {} unknown", rows.size(), rows.size() == 1 ? "" : "s",
                  verdicts(Verdict::allowed), verdicts(Verdict::forbidden), verdicts(Verdict::unknown));
  const auto failed = with([](const TableRow& row) { return row.failed; });
  if (failed > 0) text += fmt::format(", {} in error", failed);
  text += fmt::format("; {} hold", with([](const TableRow& row) { return row.holds == true; }));
  const auto expecting = with([](const TableRow& row) { return row.as_expected.has_value(); });
  if (expecting > 0)
    text += fmt::format("; {} of {} as expected",
                        with([](const TableRow& row) { return row.as_expected == true; }), expecting);
  return text + fmt::format("; {:.2f} s\n", seconds);
}

}  // namespace

TableRow table_row(const std::string& name, const std::string& model, const Answer& answer,
                   std::optional<bool> as_expected) {
  return {.name = name,
          .model = model,
          .verdict = answer.verdict,
          .holds = answer.holds,
          .as_expected = as_expected,
          .states = answer.states.size(),
          .states_complete = answer.states_complete,
          .executions = answer.executions,
          .seconds = answer.seconds,
          .reason = answer.reason,
          .word = {}};
}

std::string table_text(std::span<const TableRow> rows, bool color) {
  const std::vector<Column> columns = columns_for(rows);
  std::vector<std::vector<Cell>> lines(1);
  for (const Column& column : columns) lines[0].push_back(column.heading);
  for (const TableRow& row : rows) {
    lines.emplace_back();
    for (const Column& column : columns) lines.back().push_back(column.cell(row));
  }
  std::vector<std::size_t> widths(columns.size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], display_width(line[i].text));

  std::string text;
  for (const auto& line : lines) text += line_text(line, columns, widths, color);
  return text + totals_text(rows);
}

}  // namespace ptxmc
