#include "src/cli/diagnostics.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "semantics/visible_text.hpp"
#include "src/litmus/input_errors.hpp"

namespace ptxmc {

namespace {

std::string place_text(const std::string& file, SourcePosition where) {
  const std::string name = visible_line(file);
  return where.line == 0 ? name : fmt::format("{}:{}:{}", name, where.line, where.column);
}

/// The line of the file at a position; empty if it cannot be read.
std::string source_line(const std::string& file, SourcePosition where) {
  std::error_code error;
  if (where.line == 0 || !std::filesystem::is_regular_file(file, error)) return {};
  std::ifstream in(file);
  std::string line;
  for (std::uint32_t i = 0; i < where.line; ++i)
    if (!std::getline(in, line)) return {};
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (where.line == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
  return line;
}

}  // namespace

std::string diagnostic_text(const InputError& error) {
  if (const auto* errors = dynamic_cast<const InputErrors*>(&error)) {
    std::string text;
    for (const InputError& each : errors->all) text += diagnostic_text(each);
    return text;
  }
  return fmt::format("{}: error: {}\n", place_text(error.file, error.where), error.what()) +
         marked_line(source_line(error.file, error.where), error.where.column);
}

std::string warning_text(const std::string& file, const Warning& warning) {
  return fmt::format("{}: warning: {}\n", place_text(file, warning.where), warning.message) +
         marked_line(source_line(file, warning.where), warning.where.column);
}

std::string unsupported_text(const Unsupported& unsupported, const std::string& file) {
  return fmt::format("{}: unsupported: {}\n", place_text(file, unsupported.where), unsupported.what());
}

}  // namespace ptxmc
