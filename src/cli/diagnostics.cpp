#include "src/cli/diagnostics.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "semantics/language/visible_text.hpp"
#include "src/litmus/input_errors.hpp"

namespace ptxmc {

namespace {

std::string place_text(const std::string& file, SourcePosition where) {
  const std::string name = visible_line(file);
  return where.line == 0 ? name : fmt::format("{}:{}:{}", name, where.line, where.column);
}

/// Reads lines of files. Lines of one file that are asked for in ascending order take one pass over it.
class LineReader {
 public:
  /// Lines count from 1; empty when there is none. Valid until the next call.
  std::string_view line(const std::string& file, std::uint32_t number) {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(file, error);
    if (file != file_ || time != time_ || number < number_) open(file, time);
    for (; number_ < number; ++number_)
      if (!std::getline(in_, line_)) {
        file_.clear();
        return {};
      }
    return line_;
  }

 private:
  void open(const std::string& file, std::filesystem::file_time_type time) {
    file_ = file;
    time_ = time;
    in_ = std::ifstream(file);
    number_ = 0;
  }

  std::string file_;
  std::filesystem::file_time_type time_;
  std::ifstream in_;
  std::uint32_t number_ = 0;  // of the line that was read last
  std::string line_;
};

/// The line of the file at a position, valid until the next call; empty if it cannot be read.
std::string_view source_line(const std::string& file, SourcePosition where) {
  std::error_code error;
  if (where.line == 0 || !std::filesystem::is_regular_file(file, error)) return {};
  static thread_local LineReader reader;
  std::string_view line = reader.line(file, where.line);
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (where.line == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
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
