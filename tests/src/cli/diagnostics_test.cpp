#include "src/cli/diagnostics.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
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

TEST_CASE("diagnostics of a file in any order, and of one that has changed") {
  const fs::path path = fs::temp_directory_path() / ("ptxmc-lines-" + std::to_string(getpid()));
  const auto line_shown = [&](std::uint32_t line) {
    const std::string text = diagnostic_text(InputError(path.string(), {line, 1}, "found x"));
    const std::size_t start = text.find('\n') + 1;
    return text.substr(start, text.find('\n', start) - start);
  };
  std::ofstream(path) << "one\ntwo\nthree\n";
  for (const auto& [line, shown] :
       {std::pair(1, "  one"), {3, "  three"}, {3, "  three"}, {2, "  two"}, {9, ""}})
    CHECK(line_shown(static_cast<std::uint32_t>(line)) == shown);
  std::ofstream(path) << "new\nlines\n";
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
  CHECK(line_shown(2) == "  lines");
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
