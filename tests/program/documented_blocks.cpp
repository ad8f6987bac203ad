#include "documented_blocks.hpp"

#include <regex>
#include <sstream>

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<DocumentedCommand> commands_in(const std::string& markdown) {
  std::vector<DocumentedCommand> commands;
  bool is_fenced = false, is_output = false, goes_on = false;
  const auto lines = lines_of(markdown);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("```")) is_fenced = !is_fenced;
    const bool is_indented = lines[i].starts_with("    ");
    if (lines[i].empty() || (!is_fenced && !is_indented)) {
      is_output = goes_on = false;
      continue;
    }
    const std::string text = is_fenced ? lines[i] : lines[i].substr(4);
    if (goes_on) {
      commands.back().command += "\n" + text;
    } else if (text.starts_with("$ ")) {
      commands.push_back({i + 1, text.substr(2), ""});
      is_output = true;
    } else if (is_output) {
      commands.back().output += text + "\n";
    }
    goes_on = is_output && text.ends_with('\\') && commands.back().output.empty();
  }
  return commands;
}

std::string lasting(const std::string& output) {
  static const std::regex seconds(R"( *\b[0-9]+\.[0-9]+ s\b)"), time(R"(^(Time .*) [0-9.]+$)");
  std::string result;
  for (const std::string& line : lines_of(output))
    if (!line.empty())
      result += std::regex_replace(std::regex_replace(line, seconds, " # s"), time, "$1 #") + "\n";
  return result;
}

bool is_as_shown(const std::string& output, const std::string& shown) {
  const auto printed = lines_of(lasting(output)), wanted = lines_of(lasting(shown));
  std::size_t next = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] != "…") {
      if (next == printed.size() || printed[next] != wanted[i]) return false;
      ++next;
      continue;
    }
    if (i + 1 == wanted.size()) return true;
    while (next < printed.size() && printed[next] != wanted[i + 1]) ++next;
  }
  return next == printed.size();
}
