#include "src/cli/diagnostics.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace ptxmc;
namespace fs = std::filesystem;

TEST_CASE("a diagnostic shows the line and points to the column") {
  const fs::path path = fs::temp_directory_path() / ("ptxmc-diagnostic-" + std::to_string(getpid()));
  std::ofstream(path) << "one\n\tst.week x, 1\n";
  CHECK(diagnostic_text(InputError(path.string(), {2, 4}, "found x")) ==
        path.string() + ":2:4: error: found x\n  \tst.week x, 1\n  \t  ^\n");
  CHECK(diagnostic_text(InputError(path.string(), {9, 1}, "found x")) ==
        path.string() + ":9:1: error: found x\n");
  CHECK(diagnostic_text(InputError(path.string(), {}, "found x")) == path.string() + ": error: found x\n");
  fs::remove(path);
}

TEST_CASE("a diagnostic of a file that is gone has no line to show") {
  CHECK(diagnostic_text(InputError("no/such/file", {2, 4}, "found x")) ==
        "no/such/file:2:4: error: found x\n");
}

TEST_CASE("unsupported input is named with its place") {
  CHECK(unsupported_text(Unsupported("wgmma", {3, 7}), "t.litmus") == "t.litmus:3:7: unsupported: wgmma\n");
  CHECK(unsupported_text(Unsupported("wgmma", {}), "t.litmus") == "t.litmus: unsupported: wgmma\n");
}
