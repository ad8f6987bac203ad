#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ptxmc {

/// The maximum size of an input. The largest modules that compilers print have a third of this size.
constexpr std::size_t most_bytes_of_input = std::size_t{1} << 27;

/// All bytes of a file; empty if it is a folder or cannot be read. Throws InputError after
/// `most_bytes_of_input` bytes if the file (a device, a pipe) has more.
std::optional<std::string> text_of_file(const std::filesystem::path&);

/// All bytes of a file. Throws InputError if it is a folder, does not exist or cannot be read. The message
/// names the file and what was `expected`: "a PTX module".
std::string text_of_input(const std::filesystem::path&, std::string_view expected);

/// Why a path is not a readable file: "a folder", "no such file", "no readable file".
std::string_view unreadable_text(const std::filesystem::path&);

/// Replaces the content of a file by the text. Throws InputError naming the file and why it cannot be
/// written.
void write_text_file(const std::filesystem::path&, std::string_view text);

}  // namespace ptxmc
