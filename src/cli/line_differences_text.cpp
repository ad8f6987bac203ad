#include "src/cli/line_differences_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "src/cli/difference_text.hpp"
#include "src/report/answer.hpp"
#include "src/report/columns.hpp"

namespace ptxmc {

namespace {

constexpr const char* without_the_line = "without the line";

std::string place_text(const LineDifference& line, const cat::Model& model) {
  return fmt::format("{}:{}", model.files[line.without.place.file], line.without.place.where.line);
}

/// Why no test tells the model from that without the line.
std::string reason_for_none(const LineDifference& line) {
  if (line.is_of_flags) return "only flags use it";
  return line.undecided.empty() ? "none" : "none; undecided: " + line.undecided;
}

std::string summary_of(const LineDifferences& found, const cat::Model& model, const std::string& what) {
  const auto count = [&](auto is_counted) { return std::ranges::count_if(found.lines, is_counted); };
  return fmt::format(
      "{}: {} lines, {} with a difference, {} of which only flags depend, {} without a difference on {}\n",
      model.name, found.lines.size(), count([](const auto& line) { return line.difference.has_value(); }),
      count([](const auto& line) { return line.is_of_flags; }),
      count([](const auto& line) { return !line.difference && !line.is_of_flags; }), what);
}

/// `|` separates the columns of a table.
std::string in_markdown(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

}  // namespace

std::string line_differences_text(const LineDifferences& found, const cat::Model& model,
                                  const CommonOptions& options) {
  std::string text;
  for (const LineDifference& line : found.lines) {
    if (!line.difference) continue;
    text += fmt::format("{}: {}: {}\n\n{}\n", place_text(line, model), line.without.text,
                        size_text(line.difference->of),
                        difference_text(*line.difference,
                                        {model, line.without.model, model.name, without_the_line}, options));
  }
  return text;
}

std::string line_differences_table(const LineDifferences& found, const cat::Model& model,
                                   const std::string& what, bool color) {
  const std::vector<Column> columns = {
      {"line", Alignment::right},         {"change"},   {"smallest test"}, {"threads", Alignment::right},
      {"instructions", Alignment::right}, {model.name}, {without_the_line}};
  std::vector<std::vector<Cell>> lines;
  for (const LineDifference& line : found.lines) {
    std::vector<Cell> cells = {{std::to_string(line.without.place.where.line)}, {line.without.text}};
    if (line.difference) {
      const auto& [of, first, second] = *line.difference;
      for (const std::string& text :
           {of.name, std::to_string(of.threads), std::to_string(of.instructions),
            std::string(verdict_text(first.verdict)), std::string(verdict_text(second.verdict))})
        cells.push_back({text});
    } else {
      cells.push_back({reason_for_none(line)});
      cells.resize(columns.size());
    }
    lines.push_back(std::move(cells));
  }
  return columns_text(columns, std::move(lines), color) + summary_of(found, model, what);
}

std::string line_differences_markdown(const LineDifferences& found, const cat::Model& model,
                                      const std::string& what) {
  std::string text = fmt::format("| line | change | smallest test | threads | instructions | {} | {} |\n",
                                 model.name, without_the_line);
  text += "|---:|---|---|---:|---:|---|---|\n";
  for (const LineDifference& line : found.lines) {
    text += fmt::format("| {} | {} | ", line.without.place.where.line, in_markdown(line.without.text));
    if (line.difference) {
      const auto& [of, first, second] = *line.difference;
      text += fmt::format("`{}` | {} | {} | {} | {} |\n", of.name, of.threads, of.instructions,
                          verdict_text(first.verdict), verdict_text(second.verdict));
    } else {
      text += fmt::format("{} | | | | |\n", in_markdown(reason_for_none(line)));
    }
  }
  return text + "\n" + summary_of(found, model, what);
}

std::string line_differences_json(const LineDifferences& found, const cat::Model& model) {
  std::string text;
  for (const LineDifference& line : found.lines) {
    nlohmann::ordered_json object = {
        {"model", model.name},
        {"file", model.files[line.without.place.file]},
        {"line", line.without.place.where.line},
        {"change", line.without.text},
        {"verdict",
         line.is_of_flags && !line.difference
             ? "flags"
             : difference_verdict(line.difference.has_value(), found.is_complete && line.undecided.empty())},
        {"tests", found.tests}};
    if (line.difference) add_difference(object, *line.difference);
    text += object.dump() + "\n";
  }
  return text;
}

}  // namespace ptxmc
