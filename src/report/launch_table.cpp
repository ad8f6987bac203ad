#include "src/report/launch_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "src/report/columns.hpp"

namespace ptxmc {

namespace {

std::vector<Cell> line_of(const LaunchRow& row) {
  const std::string verdict = row.failed             ? "error"
                              : row.verdicts.empty() ? "unknown"
                                                     : fmt::format("{}", fmt::join(row.verdicts, ", "));
  const Color color = row.failed ? Color::bad : row.verdicts.empty() ? Color::doubtful : Color::plain;
  Cell expected = {"-"};
  if (row.as_expected == true) expected = {"✓", Color::good};
  if (row.as_expected == false)
    expected = {fmt::format("✗ {}{}", fmt::join(row.expected, ", "), row.is_certain ? "" : " (uncertain)"),
                Color::bad};
  return {{row.file},
          {verdict, color},
          expected,
          {row.engine},
          {row.executions ? std::to_string(*row.executions) : "-"},
          {fmt::format("{:.3f} s", row.seconds)},
          {row.reason, Color::doubtful}};
}

std::string totals_text(std::span<const LaunchRow> rows) {
  const auto with = [&](auto property) { return std::ranges::count_if(rows, property); };
  double seconds = 0;
  for (const LaunchRow& row : rows) seconds += row.seconds;
  const auto is_safe = [](const LaunchRow& row) {
    return row.verdicts.size() == 1 && row.verdicts.front() == "safe";
  };
  std::string text =
      fmt::format("{} launch{}: {} safe, {} with findings, {} in part or wholly unknown", rows.size(),
                  rows.size() == 1 ? "" : "es", with(is_safe),
                  with([&](const LaunchRow& row) { return !row.verdicts.empty() && !is_safe(row); }),
                  with([](const LaunchRow& row) { return !row.failed && !row.reason.empty(); }));
  const auto failed = with([](const LaunchRow& row) { return row.failed; });
  if (failed > 0) text += fmt::format(", {} in error", failed);
  const auto expecting = with([](const LaunchRow& row) { return !row.expected.empty(); });
  if (expecting > 0)
    text += fmt::format("; {} of {} as expected",
                        with([](const LaunchRow& row) { return row.as_expected == true; }), expecting);
  return text + fmt::format("; {:.2f} s\n", seconds);
}

}  // namespace

std::string launch_table_markdown(std::span<const LaunchRow> rows) {
  std::string text =
      "| launch | verdict | expected | engine | executions | time | otherwise "
      "|\n|---|---|---|---|---:|---:|---|\n";
  for (const LaunchRow& row : rows) {
    text += "|";
    for (const Cell& cell : line_of(row)) {
      const bool is_file = cell.text == row.file;
      text += " " + (is_file ? std::filesystem::path(row.file).stem().string() : cell.text) + " |";
    }
    text += "\n";
  }
  return text + "\n" + totals_text(rows);
}

std::string launch_table_text(std::span<const LaunchRow> rows, bool color) {
  const std::vector<Column> columns = {
      {"launch", Alignment::left}, {"verdict", Alignment::left},     {"expected", Alignment::left},
      {"engine", Alignment::left}, {"executions", Alignment::right}, {"time", Alignment::right},
      {"", Alignment::left}};
  std::vector<std::vector<Cell>> lines;
  for (const LaunchRow& row : rows) lines.push_back(line_of(row));
  return columns_text(columns, lines, color) + totals_text(rows);
}

}  // namespace ptxmc
