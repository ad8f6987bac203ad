#include "src/cli/compared_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "semantics/language/diagnostic.hpp"
#include "src/cli/input_files.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

namespace fs = std::filesystem;

namespace {

constexpr const char* source_part = ".source.";

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// Whether the header is `C name`. A file that cannot be read is one too, so that its error is reported.
bool is_cpp_test(const fs::path& file) {
  try {
    return read_litmus(file).language == Language::cpp;
  } catch (const InputError&) {
    return true;
  } catch (const Unsupported&) {
    return true;
  }
}

bool is_target(const fs::path& file) {
  const std::string name = file.filename().string();
  if (name.find(source_part) != std::string::npos) return false;
  return name.find(".target.") != std::string::npos || file.extension() == ".toml";
}

/// The source with the longest X of which the target's name begins with `X.`; empty if there is none.
std::string source_of(const fs::path& target, const std::vector<fs::path>& files) {
  std::string best;
  std::size_t length = 0;
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    const std::size_t end = name.find(source_part);
    if (end == std::string::npos || end < length) continue;
    if (!target.filename().string().starts_with(name.substr(0, end) + ".")) continue;
    best = file.string();
    length = end;
  }
  return best;
}

}  // namespace

std::vector<ComparedPair> compared_pairs(const std::vector<std::string>& paths) {
  if (paths.size() > 2)
    throw InputError(paths[2], {}, "found a third path, expected a source and a target, or a folder");
  if (paths.size() == 2 && !fs::is_directory(paths[0]) && !fs::is_directory(paths[1]))
    return {{.source = paths[0], .target = paths[1]}};
  for (const std::string& path : paths)
    if (!fs::is_directory(path))
      throw InputError(path, {}, "found no folder, expected a source and a target, or one or two folders");
  const std::vector<fs::path> sources = files_in(paths.front());
  std::vector<ComparedPair> pairs;
  for (const fs::path& target : files_in(paths.back())) {
    if (!is_target(target)) continue;
    const std::string source = source_of(target, sources);
    if (source.empty())
      throw InputError(
          target.string(), {},
          "found no source for this target, expected NAME.source.litmus for NAME.….target.litmus");
    pairs.push_back({.source = source, .target = target.string()});
  }
  if (pairs.empty())
    throw InputError(paths.back(), {},
                     "found no target, expected files named NAME.source.litmus and NAME.target.litmus");
  return pairs;
}

std::vector<ComparedPair> mapped_pairs(const std::vector<std::string>& paths, const std::string& mapping) {
  std::vector<ComparedPair> pairs;
  for (const std::string& path : paths) {
    const bool is_folder = fs::is_directory(path);
    for (const fs::path& file : find_litmus_files({path})) {
      if (is_folder && !is_cpp_test(file)) continue;
      pairs.push_back({.source = file.string(), .target = file.string(), .mapping = mapping});
    }
  }
  if (pairs.empty())
    throw InputError(paths.front(), {}, "found no test of C++, expected files with the header `C name`");
  return pairs;
}

}  // namespace ptxmc
