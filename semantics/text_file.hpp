#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ptxmc {

/// All bytes of a file; none when it is a folder or cannot be read.
std::optional<std::string> text_of_file(const std::filesystem::path&);

/// Makes the text all of a file. Throws InputError naming the file and why it cannot be written.
void write_text_file(const std::filesystem::path&, std::string_view text);

}  // namespace ptxmc
