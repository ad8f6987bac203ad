// The arrows between folders run one way: src -> solver -> model -> semantics.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct Include {
  fs::path file;     // relative to the project
  std::string what;  // as written between the quotes or brackets
};

std::vector<Include> includes_below(const fs::path& folder) {
  static const std::regex directive(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension != ".hpp" && extension != ".cpp") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (std::regex_search(line, match, directive))
        found.push_back({fs::relative(entry.path(), PTXMC_SOURCE_DIR), match[1]});
    }
  }
  return found;
}

using Rooms = std::vector<std::string>;
/// The rooms of each folder, each after those that it may include.
const std::map<std::string, Rooms> rooms_of = {
    {"semantics", {"values", "language", "chapters"}},
    {"model", {"program", "relations", "cat", "judge"}},
    {"solver",
     {"limits", "algebra", "smt", "unfolding", "reads", "meetings", "encoding", "smt_engine",
      "compiled_model", "explorer", "launch", "threads", "engine"}},
    {"src/kernel", {"module", "launch", "machine", "unfolding"}},
};

}  // namespace

TEST_CASE("a folder includes only itself and the folders below it") {
  const std::vector<std::string> order = {"semantics", "model", "solver", "src"};
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    for (const auto& include : includes_below(fs::path(PTXMC_SOURCE_DIR) / order[rank]))
      for (std::size_t above = rank + 1; above < order.size(); ++above) {
        CAPTURE(include.file.string());
        CHECK_FALSE(include.what.starts_with(order[above] + "/"));
      }
}

TEST_CASE("the library does not include the command line, and only the command line includes it") {
  for (const auto& include : includes_below(fs::path(PTXMC_SOURCE_DIR) / "src")) {
    const std::string file = include.file.generic_string();
    CAPTURE(file);
    const bool is_of_library = file.starts_with("src/library/"), is_of_program = file.starts_with("src/cli/");
    if (include.what.starts_with("src/cli/")) CHECK(is_of_program);
    if (include.what.starts_with("src/library/")) CHECK((is_of_library || is_of_program));
    if (include.what == "include/ptxmc.hpp") CHECK(file == "src/library/public.hpp");
  }
}

TEST_CASE("the command line decides nothing itself: of the solver it has the limits") {
  for (const auto& include : includes_below(fs::path(PTXMC_SOURCE_DIR) / "src/cli")) {
    CAPTURE(include.file.string());
    CAPTURE(include.what);
    if (include.what.starts_with("solver/")) CHECK(include.what.starts_with("solver/limits/"));
  }
}

TEST_CASE("the public header includes only headers of the language") {
  for (const auto& include : includes_below(fs::path(PTXMC_SOURCE_DIR) / "include")) {
    CAPTURE(include.what);
    CHECK(include.what.find_first_of("./") == std::string::npos);
  }
}

TEST_CASE("a room includes only itself and the rooms before it in its folder") {
  for (const auto& entry : rooms_of) {
    const std::string& folder = entry.first;
    const Rooms& rooms = entry.second;
    // Below the folder: the room in which the path lies.
    const auto room_of = [&, length = folder.size() + 1](const std::string& path) {
      const std::string room = path.substr(length, path.find('/', length) - length);
      return std::ranges::find(rooms, room) - rooms.begin();
    };
    for (const auto& include : includes_below(fs::path(PTXMC_SOURCE_DIR) / folder)) {
      CAPTURE(include.file.string());
      CAPTURE(include.what);
      const auto own = room_of(include.file.generic_string());
      CHECK(own < std::ssize(rooms));
      if (include.what.starts_with(folder + "/")) CHECK(room_of(include.what) <= own);
    }
  }
}

TEST_CASE("the tests of a folder stand in its rooms") {
  for (const auto& entry : rooms_of)
    for (const auto& test : fs::directory_iterator(fs::path(PTXMC_SOURCE_DIR) / "tests" / entry.first)) {
      CAPTURE(test.path().string());
      if (test.is_directory()) CHECK(std::ranges::count(entry.second, test.path().filename().string()) == 1);
    }
}

TEST_CASE("heavy headers stay in few files") {
  for (const auto* folder : {"semantics", "model", "solver", "src"})
    for (const auto& include : includes_below(fs::path(PTXMC_SOURCE_DIR) / folder)) {
      CAPTURE(include.file.string());
      if (include.what.starts_with("z3")) CHECK(include.file.filename() == "z3.hpp");
      if (include.what == "solver/smt/z3.hpp") CHECK(include.file.filename().string().starts_with("smt_"));
      if (include.what == "solver/smt/smt_terms.hpp") CHECK(include.file.extension() == ".cpp");
      if (include.what.starts_with("boost/spirit"))
        CHECK(include.file.filename().string().find("grammar") != std::string::npos);
    }
}
