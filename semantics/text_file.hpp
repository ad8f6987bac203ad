#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ptxmc {

/// All bytes of a file; none when it is a folder or cannot be read.
std::optional<std::string> text_of_file(const std::filesystem::path&);

}  // namespace ptxmc
