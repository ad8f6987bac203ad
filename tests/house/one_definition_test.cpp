// A type that two files define differently mixes up their templates without a word from the compiler or the
// linker.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// The types that a file defines at the top level outside of anonymous namespaces, with their namespaces.
std::vector<std::string> types_defined_in(const fs::path& file) {
  static const std::regex opening(R"(^(?:inline )?namespace\s*([\w:]*)\s*\{.*)");
  static const std::regex closing(R"(^\}\s*// namespace.*)");
  static const std::regex type(
      R"(^(?:struct|class|enum class|union)\s+([\w:]+)(?: final)?(?: :[^;]*)? \{.*)");
  std::vector<std::string> namespaces, types;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_match(line, match, opening)) {
      namespaces.push_back(match[1]);
    } else if (std::regex_match(line, closing) && !namespaces.empty()) {
      namespaces.pop_back();
    } else if (std::regex_match(line, match, type)) {
      std::string name;
      bool is_anonymous = false;
      for (const std::string& part : namespaces) {
        is_anonymous |= part.empty();
        name += part + "::";
      }
      if (!is_anonymous) types.push_back(name + match[1].str());
    }
  }
  return types;
}

}  // namespace

TEST_CASE("no two files define a type of one name") {
  std::map<std::string, fs::path> defined;
  for (const char* folder : {"semantics", "model", "solver", "src"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(PTXMC_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
      for (const std::string& type : types_defined_in(entry.path())) {
        const auto [place, is_new] = defined.emplace(type, entry.path());
        const std::string files = entry.path().string() + " and " + place->second.string();
        CHECK_MESSAGE(is_new, type << " is defined in " << files);
      }
    }
  CHECK(defined.size() > 300);
}
