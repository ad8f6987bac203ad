#include "src/cli/litmus_files.hpp"

#include <algorithm>

namespace ptxmc {

namespace fs = std::filesystem;

namespace {

bool is_litmus_file(const fs::path& path) {
  return path.extension() == ".litmus" || path.extension() == ".test";
}

}  // namespace

std::vector<fs::path> find_litmus_files(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const fs::path path : paths) {
    std::error_code error;
    std::vector<fs::path> below;
    if (fs::is_directory(path, error))
      for (const auto& entry :
           fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied))
        if (entry.is_regular_file() && is_litmus_file(entry.path())) below.push_back(entry.path());
    if (below.empty()) below.push_back(path);
    std::sort(below.begin(), below.end());
    files.insert(files.end(), below.begin(), below.end());
  }
  return files;
}

}  // namespace ptxmc
