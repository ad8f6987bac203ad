#include "src/cli/diagnostics.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace ptxmc {

namespace {

std::string place_text(const std::string& file, SourcePosition where) {
  return where.line == 0 ? file : fmt::format("{}:{}:{}", file, where.line, where.column);
}

/// The line of the file that a position is in; empty when it cannot be shown.
std::string source_line(const std::string& file, SourcePosition where) {
  constexpr std::size_t longest = 200;
  std::error_code error;
  if (where.line == 0 || !std::filesystem::is_regular_file(file, error)) return {};
  std::ifstream in(file);
  std::string line;
  for (std::uint32_t i = 0; i < where.line; ++i)
    if (!std::getline(in, line)) return {};
  const bool printable = line.size() <= longest && line.find('\0') == std::string::npos;
  return printable && where.column <= line.size() + 1 ? line : std::string{};
}

}  // namespace

std::string diagnostic_text(const InputError& error) {
  std::string text = fmt::format("{}: error: {}\n", place_text(error.file, error.where), error.what());
  const std::string line = source_line(error.file, error.where);
  if (line.find_first_not_of(" \t\r") == std::string::npos) return text;
  std::string indent = line.substr(0, error.where.column - 1);
  for (char& c : indent)
    if (c != '\t') c = ' ';
  return text + fmt::format("  {}\n  {}^\n", line, indent);
}

std::string unsupported_text(const Unsupported& unsupported, const std::string& file) {
  return fmt::format("{}: unsupported: {}\n", place_text(file, unsupported.where), unsupported.what());
}

}  // namespace ptxmc
