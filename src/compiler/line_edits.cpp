#include "src/compiler/line_edits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ptxmc {
namespace {

constexpr std::size_t context = 3;

/// A line of a diff: ' ', '-' or '+', and the text.
struct DiffLine {
  char sign = ' ';
  std::string text;
};

/// A hunk under construction: added lines are held back until the next unchanged line, behind those removed.
class Hunk {
 public:
  void keep(const std::string& line) {
    flush();
    lines_.push_back({' ', line});
  }
  void remove(const std::string& line) { lines_.push_back({'-', line}); }
  void add(const std::string& line) { added_.push_back({'+', line}); }

  /// An edit that keeps its line, and adds others before or behind it, shows the line as unchanged.
  void edit(const std::string& before, const LineEdit& edit) {
    const auto kept = std::ranges::find(edit.lines, before);
    if (kept == edit.lines.end()) remove(before);
    for (auto line = edit.lines.begin(); line != edit.lines.end(); ++line)
      line == kept ? keep(*line) : add(*line);
  }

  std::size_t unchanged_at_end() const {
    if (!added_.empty()) return 0;
    const auto last = std::ranges::find_if(lines_.rbegin(), lines_.rend(),
                                           [](const DiffLine& line) { return line.sign != ' '; });
    return static_cast<std::size_t>(last - lines_.rbegin());
  }

  const std::vector<DiffLine>& finished() {
    flush();
    return lines_;
  }

 private:
  void flush() {
    lines_.insert(lines_.end(), added_.begin(), added_.end());
    added_.clear();
  }

  std::vector<DiffLine> lines_, added_;
};

std::string hunk_text(const std::vector<DiffLine>& diff, std::size_t first, std::ptrdiff_t moved) {
  const auto count = [&](char without) {
    return std::ranges::count_if(diff, [&](const DiffLine& line) { return line.sign != without; });
  };
  const auto range = [](std::ptrdiff_t begin, std::ptrdiff_t lines) {
    return fmt::format("{},{}", lines == 0 ? begin - 1 : begin, lines);
  };
  const auto begin = static_cast<std::ptrdiff_t>(first);
  std::string text =
      fmt::format("@@ -{} +{} @@\n", range(begin, count('+')), range(begin + moved, count('-')));
  for (const DiffLine& line : diff) text += line.sign + line.text + "\n";
  return text;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string with_edits(std::string_view text, const std::vector<LineEdit>& edits) {
  std::string result;
  const std::vector<std::string> lines = lines_of(text);
  auto edit = edits.begin();
  for (std::size_t line = 1; line <= lines.size(); ++line) {
    if (edit == edits.end() || edit->line != line) {
      result += lines[line - 1] + "\n";
      continue;
    }
    for (const std::string& changed : edit->lines) result += changed + "\n";
    ++edit;
  }
  if (!text.ends_with('\n') && result.ends_with('\n')) result.pop_back();
  return result;
}

std::uint32_t moved_line(std::uint32_t line, const std::vector<LineEdit>& edits) {
  std::uint32_t result = line;
  for (const LineEdit& edit : edits) {
    if (edit.line > line || (edit.line == line && edit.lines.empty())) break;
    result = result + static_cast<std::uint32_t>(edit.lines.size()) - 1;
  }
  return result;
}

std::string unified_diff(std::string_view text, const std::vector<LineEdit>& edits, std::string_view file) {
  if (edits.empty()) return "";
  const std::vector<std::string> lines = lines_of(text);
  std::string result = fmt::format("--- {0}\n+++ {0}\n", file);
  std::ptrdiff_t moved = 0;
  for (std::size_t i = 0; i < edits.size();) {
    const std::size_t first = edits[i].line > context ? edits[i].line - context : 1;
    Hunk hunk;
    std::size_t next = first;
    const std::ptrdiff_t moved_before = moved;
    for (; i < edits.size() && edits[i].line <= next + 2 * context; ++i) {
      for (; next < edits[i].line; ++next) hunk.keep(lines.at(next - 1));
      hunk.edit(lines.at(next - 1), edits[i]);
      next = edits[i].line + 1;
      moved += std::ssize(edits[i].lines) - 1;
    }
    for (; next <= lines.size() && hunk.unchanged_at_end() < context; ++next) hunk.keep(lines[next - 1]);
    result += hunk_text(hunk.finished(), first, moved_before);
  }
  return result;
}

}  // namespace ptxmc
