#include "semantics/language/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

std::optional<std::string> text_of_file(const std::filesystem::path& path) {
  constexpr std::size_t step = std::size_t{1} << 20;
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, error)) return std::nullopt;
  const auto size = std::filesystem::file_size(path, error);  // fails for a pipe or a device
  std::string text;
  if (!error) text.reserve(std::min<std::uintmax_t>(size, most_bytes_of_input) + 1);
  while (in && text.size() <= most_bytes_of_input) {
    const std::size_t before = text.size();
    text.resize(before + step);
    in.read(text.data() + before, step);
    text.resize(before + static_cast<std::size_t>(in.gcount()));
  }
  if (text.size() > most_bytes_of_input)
    throw InputError(path.string(), {},
                     fmt::format("found more than {} MiB, expected an input of at most that many",
                                 most_bytes_of_input >> 20));
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
