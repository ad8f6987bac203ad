#include "src/cli/input_files.hpp"

#include <algorithm>

namespace ptxmc {

namespace fs = std::filesystem;

bool is_litmus_file(const fs::path& path) {
  return path.extension() == ".litmus" || path.extension() == ".test";
}

bool is_launch_file(const fs::path& path) { return path.extension() == ".toml"; }

std::vector<fs::path> find_input_files(const std::vector<std::string>& paths,
                                       bool (*is_wanted)(const fs::path&)) {
  std::vector<fs::path> files;
  for (const fs::path path : paths) {
    std::error_code error;
    std::vector<fs::path> below;
    if (fs::is_directory(path, error))
      for (const auto& entry :
           fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied))
        if (entry.is_regular_file() && is_wanted(entry.path())) below.push_back(entry.path());
    if (below.empty()) below.push_back(path);
    std::sort(below.begin(), below.end());
    files.insert(files.end(), below.begin(), below.end());
  }
  return files;
}

std::vector<fs::path> find_litmus_files(const std::vector<std::string>& paths) {
  return find_input_files(paths, is_litmus_file);
}

std::vector<std::string> find_launch_files(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const fs::path& file : find_input_files(paths, is_launch_file)) names.push_back(file.string());
  return names;
}

}  // namespace ptxmc
