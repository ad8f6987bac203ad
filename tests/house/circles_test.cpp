// No circles of includes between units: a unit is a header with the source file of the same name.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Units = std::set<std::string>;  // paths below the project without extension
using Includes = std::map<std::string, Units>;

Includes includes_of_project() {
  static const std::regex directive(R"(^\s*#\s*include\s*"([^"]+)\.hpp")");
  Includes result;
  for (const char* folder : {"semantics", "model", "solver", "src"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(PTXMC_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
      const std::string unit =
          fs::relative(entry.path(), PTXMC_SOURCE_DIR).replace_extension().generic_string();
      Units& included = result[unit];
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);)
        if (std::smatch match; std::regex_search(line, match, directive) && match[1] != unit)
          included.insert(match[1]);
    }
  return result;
}

/// The units that a unit includes, directly or through others.
Units reachable(const Includes& includes, const std::string& from) {
  Units result;
  std::vector<std::string> open = {from};
  while (!open.empty()) {
    const auto found = includes.find(open.back());
    open.pop_back();
    if (found == includes.end()) continue;
    for (const std::string& unit : found->second)
      if (result.insert(unit).second) open.push_back(unit);
  }
  return result;
}

/// The largest sets of units each of which includes all others.
std::set<Units> circles(const Includes& includes) {
  std::map<std::string, Units> closure;
  for (const auto& entry : includes) closure[entry.first] = reachable(includes, entry.first);
  std::set<Units> result;
  for (const auto& [unit, included] : closure) {
    if (!included.contains(unit)) continue;
    Units circle = {unit};
    for (const std::string& other : included)
      if (const auto back = closure.find(other); back != closure.end() && back->second.contains(unit))
        circle.insert(other);
    result.insert(std::move(circle));
  }
  return result;
}

}  // namespace

TEST_CASE("circles of includes are found") {
  CHECK(circles({{"a", {"b"}}, {"b", {"c"}}, {"c", {}}}).empty());
  CHECK(circles({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}) == std::set<Units>{{"b", "c"}});
  CHECK(circles({{"a", {"b"}}, {"b", {"a", "c"}}, {"c", {"d"}}, {"d", {"c"}}}) ==
        std::set<Units>{{"a", "b"}, {"c", "d"}});
}

TEST_CASE("no units include each other in a circle") {
  const Includes includes = includes_of_project();
  CHECK(includes.size() > 300);
  for (const Units& circle : circles(includes)) {
    std::string names;
    for (const std::string& unit : circle) names += unit + " ";
    FAIL_CHECK(names);
  }
}
