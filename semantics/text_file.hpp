#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ptxmc {

/// An input may have so many: the largest modules that compilers print have a third of that.
constexpr std::size_t most_bytes_of_input = std::size_t{1} << 27;

/// All bytes of a file; none when it is a folder or cannot be read. Throws InputError for a file (a device, a
/// pipe) of more than `most_bytes_of_input`, which is read no further.
std::optional<std::string> text_of_file(const std::filesystem::path&);

/// All bytes of a file. Throws InputError naming the file, which is a folder, does not exist or cannot be
/// read, and what is `expected`: "a PTX module".
std::string text_of_input(const std::filesystem::path&, std::string_view expected);

/// What there is instead of a readable file: "a folder", "no such file", "no readable file".
std::string_view unreadable_text(const std::filesystem::path&);

/// Makes the text all of a file. Throws InputError naming the file and why it cannot be written.
void write_text_file(const std::filesystem::path&, std::string_view text);

}  // namespace ptxmc
