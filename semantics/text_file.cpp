#include "semantics/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "semantics/diagnostic.hpp"

namespace ptxmc {

std::optional<std::string> text_of_file(const std::filesystem::path& path) {
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, error)) return std::nullopt;
  const auto size = std::filesystem::file_size(path, error);
  std::string text(error ? 0 : size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  text.append(std::istreambuf_iterator<char>(in), {});  // of a pipe, whose size nobody knows
  return in.bad() ? std::nullopt : std::optional(std::move(text));
}

std::string_view unreadable_text(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return "a folder";
  return std::filesystem::exists(path, error) ? "no readable file" : "no such file";
}

std::string text_of_input(const std::filesystem::path& path, std::string_view expected) {
  auto text = text_of_file(path);
  if (text) return std::move(*text);
  throw InputError(path.string(), {}, fmt::format("found {}, expected {}", unreadable_text(path), expected));
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file)
    throw InputError(path.string(), {}, std::string("the file cannot be written: ") + std::strerror(errno));
}

}  // namespace ptxmc
