#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "semantics/language/diagnostic.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/report/drawing.hpp"
#include "tests/src/report/hand_made.hpp"

using namespace ptxmc;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
  fs::path path;
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "drawing_file_test.XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~TemporaryFolder() { fs::remove_all(path); }
};

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string error_of(const fs::path& path) {
  try {
    write_witness(message_passing()->execution, path);
  } catch (const InputError& error) {
    CHECK(error.file == path.string());
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("the extension of a witness's file decides what is written") {
  const TemporaryFolder folder;
  const auto made = store_buffering();
  const DrawingOptions options{.title = "SB", .footer = "allowed", .highlighted = {}};
  write_witness(made->execution, folder.path / "w.dot", options);
  CHECK(content(folder.path / "w.dot") == draw_dot(made->execution, options));
  write_witness(made->execution, folder.path / "w.txt", options);
  CHECK(content(folder.path / "w.txt") == draw_text(made->execution, options));
}

TEST_CASE("Graphviz draws every picture") {
  const TemporaryFolder folder;
  for (const auto make : {message_passing, store_buffering, independent_reads, barrier_exchange,
                          lock_handover, +[] { return ring_of(14); }}) {
    write_witness(make()->execution, folder.path / "w.svg");
    const std::string svg = content(folder.path / "w.svg");
    CHECK(svg.starts_with("<?xml"));
    CHECK(svg.find("class=\"edge rf\"") != std::string::npos);
    CHECK(svg.ends_with("</svg>\n"));
  }
  write_witness(message_passing()->execution, folder.path / "w.png");
  CHECK(content(folder.path / "w.png").starts_with("\x89PNG"));
}

TEST_CASE("what cannot be written is one clear error") {
  const TemporaryFolder folder;
  CHECK(error_of(folder.path / "w.pdf") == "found the extension `.pdf`, expected .svg, .png, .dot or .txt");
  CHECK(error_of(folder.path / "w") == "found the extension ``, expected .svg, .png, .dot or .txt");
  for (const char* name : {"none/w.txt", "none/w.svg"})
    CHECK(error_of(folder.path / name) == "the file cannot be written: No such file or directory");
}

TEST_CASE("a Graphviz that hangs is ended with all that it has started") {
  const TemporaryFolder folder;
  const fs::path program = folder.path / "dot", sign = folder.path / "sign";
  std::ofstream(program) << "#!/bin/sh\n(sleep 5; touch " << sign << ") &\nwait\n";
  fs::permissions(program, fs::perms::owner_all);
  const std::string path = getenv("PATH");
  setenv("PATH", (folder.path.string() + ":" + path).c_str(), 1);
  const auto made = message_passing();
  {
    const TimeLimit limit(0.2, nullptr);
    CHECK_THROWS_AS(write_witness(made->execution, folder.path / "w.svg"), OutOfTime);
  }
  setenv("PATH", path.c_str(), 1);
  CHECK(!fs::exists(folder.path / "w.svg"));
  CHECK(!fs::exists(sign));  // it was not waited for
}

TEST_CASE("without Graphviz the error says what to do, and no file is left") {
  const TemporaryFolder folder;
  const std::string path = getenv("PATH");
  setenv("PATH", folder.path.c_str(), 1);
  const std::string error = error_of(folder.path / "w.svg");
  setenv("PATH", path.c_str(), 1);
  CHECK(
      error ==
      "the drawing cannot be written: the program `dot` was not found; install Graphviz, or write a .dot or "
      ".txt file");
  CHECK_FALSE(fs::exists(folder.path / "w.svg"));
}
