#include "src/cli/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "src/report/columns.hpp"

namespace ptxmc {

namespace {

constexpr const char* without_the_line = "without the line";

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Why no test tells the model from that without the line.
std::string reason_for_none(const v1::LineDifference& line) {
  if (line.is_of_flags) return "only flags use it";
  return line.undecided.empty() ? "none" : "none; undecided: " + line.undecided;
}

std::string summary_of(const v1::LineDistinction& found, const std::string& model, const std::string& what) {
  const auto count = [&](auto is_counted) { return std::ranges::count_if(found.lines, is_counted); };
  return fmt::format(
      "{}: {} lines, {} with a difference, {} of which only flags depend, {} without a difference on {}\n",
      model, found.lines.size(), count([](const auto& line) { return line.difference.has_value(); }),
      count([](const auto& line) { return line.is_of_flags; }),
      count([](const auto& line) { return !line.difference && !line.is_of_flags; }), what);
}

/// `|` separates the columns of a table.
std::string in_markdown(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

}  // namespace

std::string tests_text(std::uint64_t tests) { return counted(tests, "test"); }

std::string size_text(const v1::SmallTest& test) {
  return counted(test.threads, "thread") + ", " + counted(test.instructions, "instruction");
}

const char* word_of(v1::Verdict verdict) {
  if (verdict == v1::Verdict::unknown) return "unknown";
  return verdict == v1::Verdict::allowed ? "allowed" : "forbidden";
}

const char* difference_word(bool differs, bool is_complete) {
  return differs ? "differs" : is_complete ? "same" : "unknown";
}

void add_difference(nlohmann::ordered_json& line, const v1::Difference& difference) {
  const v1::SmallTest& test = difference.test;
  line["name"] = test.name;
  if (!test.cycle.empty()) line["cycle"] = test.cycle;
  line["test"] = test.text;
  line["threads"] = test.threads;
  line["instructions"] = test.instructions;
  line["verdicts"] = {word_of(difference.first), word_of(difference.second)};
}

std::string line_differences_text(const v1::LineDistinction& found) {
  std::string text;
  for (const v1::LineDifference& line : found.lines)
    if (line.difference)
      text += fmt::format("{}:{}: {}: {}\n\n{}\n", line.file, line.line, line.change,
                          size_text(line.difference->test), line.difference->text);
  return text;
}

std::string line_differences_table(const v1::LineDistinction& found, const std::string& model,
                                   const std::string& what, bool color) {
  const std::vector<Column> columns = {
      {"line", Alignment::right},         {"change"}, {"smallest test"}, {"threads", Alignment::right},
      {"instructions", Alignment::right}, {model},    {without_the_line}};
  std::vector<std::vector<Cell>> lines;
  for (const v1::LineDifference& line : found.lines) {
    std::vector<Cell> cells = {{std::to_string(line.line)}, {line.change}};
    if (line.difference) {
      const v1::SmallTest& test = line.difference->test;
      for (const std::string& text :
           {test.name, std::to_string(test.threads), std::to_string(test.instructions),
            std::string(word_of(line.difference->first)), std::string(word_of(line.difference->second))})
        cells.push_back({text});
    } else {
      cells.push_back({reason_for_none(line)});
      cells.resize(columns.size());
    }
    lines.push_back(std::move(cells));
  }
  return columns_text(columns, std::move(lines), color) + summary_of(found, model, what);
}

std::string line_differences_markdown(const v1::LineDistinction& found, const std::string& model,
                                      const std::string& what) {
  std::string text = fmt::format("| line | change | smallest test | threads | instructions | {} | {} |\n",
                                 model, without_the_line);
  text += "|---:|---|---|---:|---:|---|---|\n";
  for (const v1::LineDifference& line : found.lines) {
    text += fmt::format("| {} | {} | ", line.line, in_markdown(line.change));
    if (line.difference) {
      const v1::SmallTest& test = line.difference->test;
      text += fmt::format("`{}` | {} | {} | {} | {} |\n", test.name, test.threads, test.instructions,
                          word_of(line.difference->first), word_of(line.difference->second));
    } else {
      text += fmt::format("{} | | | | |\n", in_markdown(reason_for_none(line)));
    }
  }
  return text + "\n" + summary_of(found, model, what);
}

std::string line_differences_json(const v1::LineDistinction& found, const std::string& model) {
  std::string text;
  for (const v1::LineDifference& line : found.lines) {
    nlohmann::ordered_json object = {
        {"model", model},
        {"file", line.file},
        {"line", line.line},
        {"change", line.change},
        {"verdict",
         line.is_of_flags && !line.difference
             ? "flags"
             : difference_word(line.difference.has_value(), found.complete && line.undecided.empty())},
        {"tests", found.tests}};
    if (line.difference) add_difference(object, *line.difference);
    text += object.dump() + "\n";
  }
  return text;
}

}  // namespace ptxmc
