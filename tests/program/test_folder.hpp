#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fs = std::filesystem;

/// A folder for the files of one test, which is removed after it.
struct TestFolder {
  fs::path path = fs::temp_directory_path() / ("ptxmc-test-" + std::to_string(getpid()));
  TestFolder() { fs::create_directories(path); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() { fs::remove_all(path); }

  /// Writes a file and returns its path.
  std::string add(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
};

inline std::string text_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
