#include "src/cli/input_files.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

#include "semantics/language/diagnostic.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;
namespace fs = std::filesystem;

namespace {

/// A folder that is gone after the test.
struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("ptxmc-input-files-" + std::to_string(getpid()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }

  void touch(const std::string& name) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << "PTX";
  }
};

}  // namespace

TEST_CASE("files as named, folders with all tests below them in order") {
  const TemporaryFolder folder;
  for (const char* name : {"b.litmus", "sub/a.litmus", "a.litmus", "README.md", "single.txt"})
    folder.touch(name);
  const fs::path& root = folder.path;
  CHECK(find_litmus_files({(root / "single.txt").string(), root.string()}) ==
        std::vector<fs::path>{root / "single.txt", root / "a.litmus", root / "b.litmus",
                              root / "sub/a.litmus"});
}

TEST_CASE("what is not there, and a folder without tests, is an error of its own") {
  const TemporaryFolder folder;
  const fs::path missing = folder.path / "none.litmus";
  CHECK(find_litmus_files({missing.string(), folder.path.string()}) ==
        std::vector<fs::path>{missing, folder.path});
  CHECK_THROWS_AS(read_tests(missing), InputError);
  CHECK_THROWS_AS(read_tests(folder.path), InputError);
}

TEST_CASE("launch files of folders, and both kinds of inputs") {
  const TemporaryFolder folder;
  for (const char* name : {"b.toml", "sub/a.toml", "a.toml", "k.ptx", "t.litmus"}) folder.touch(name);
  const std::string root = folder.path.string();
  CHECK(find_launch_files({root + "/k.ptx", root}) ==
        std::vector<std::string>{root + "/k.ptx", root + "/a.toml", root + "/b.toml", root + "/sub/a.toml"});
  const auto both = find_input_files(
      {root}, [](const fs::path& path) { return is_litmus_file(path) || is_launch_file(path); });
  CHECK(both.size() == 4);
  CHECK(both.back() == folder.path / "t.litmus");
}
