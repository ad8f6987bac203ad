#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace ptxmc::test {

/// A file with this text, in a folder for this process.
inline std::filesystem::path written_file(const std::string& name, const std::string& text) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("ptxmc-kernel-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name) << text;
  return folder / name;
}

}  // namespace ptxmc::test
