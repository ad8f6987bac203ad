#include "src/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "src/report/answer.hpp"
#include "src/report/columns.hpp"

namespace ptxmc {

namespace {

struct TableColumn {
  Column column;
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

std::vector<TableColumn> columns_for(std::span<const TableRow> rows) {
  const auto name = [](const TableRow& row) { return Cell{row.name}; };
  const auto model = [](const TableRow& row) { return Cell{row.model}; };
  const auto time = [](const TableRow& row) { return Cell{fmt::format("{:.3f} s", row.seconds)}; };
  const auto reason = [](const TableRow& row) { return Cell{row.reason, Color::doubtful}; };

  std::vector<TableColumn> columns = {{{"test", Alignment::left}, name},
                                      {{"model", Alignment::left}, model},
                                      {{"verdict", Alignment::left}, verdict_cell},
                                      {{"holds", Alignment::left}, holds_cell}};
  if (std::ranges::any_of(rows, [](const TableRow& row) { return row.as_expected.has_value(); }))
    columns.push_back({{"expected", Alignment::left}, expectation_cell});
  columns.push_back({{"states", Alignment::right}, states_cell});
  if (std::ranges::any_of(rows, [](const TableRow& row) { return row.executions.has_value(); }))
    columns.push_back({{"executions", Alignment::right}, executions_cell});
  columns.push_back({{"time", Alignment::right}, time});
  columns.push_back({{"", Alignment::left}, reason});
  return columns;
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
          .reason = answer.reason};
}

namespace {

/// Adds the file to the names of tests that share a name.
std::vector<TableRow> with_files_where_names_repeat(std::span<const TableRow> rows) {
  std::map<std::pair<std::string, std::string>, std::size_t> tests;
  for (const TableRow& row : rows) ++tests[{row.name, row.model}];
  std::vector<TableRow> result(rows.begin(), rows.end());
  for (TableRow& row : result)
    if (!row.file.empty() && row.file != row.name && tests.at({row.name, row.model}) > 1)
      row.name = fmt::format("{} ({})", row.name, row.file);
  return result;
}

}  // namespace

std::string table_text(std::span<const TableRow> written, bool color) {
  const std::vector<TableRow> rows = with_files_where_names_repeat(written);
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> lines(rows.size());
  for (const TableColumn& column : columns_for(rows)) {
    columns.push_back(column.column);
    for (std::size_t i = 0; i < rows.size(); ++i) lines[i].push_back(column.cell(rows[i]));
  }
  return columns_text(columns, lines, color) + totals_text(rows);
}

}  // namespace ptxmc
