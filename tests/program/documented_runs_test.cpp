// What the documents show of runs of the program is what it prints.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "run.hpp"

namespace fs = std::filesystem;

namespace {

struct DocumentedRun {
  std::string arguments;
  std::string output;
};

/// The indented blocks that begin with `$ ptxmc`.
std::vector<DocumentedRun> runs_in(const fs::path& document) {
  const std::string indent = "    ";
  const std::string prompt = indent + "$ ptxmc ";
  std::vector<DocumentedRun> runs;
  std::ifstream lines(document);
  REQUIRE(lines);
  bool is_inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(prompt)) {
      runs.push_back({line.substr(prompt.size()), ""});
      is_inside = true;
    } else if (is_inside && line.starts_with(indent)) {
      runs.back().output += line.substr(indent.size()) + "\n";
    } else {
      is_inside = false;
    }
  }
  return runs;
}

/// Without the line that says how long it took, and blank lines.
std::string lasting(const std::string& output) {
  std::string result;
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = output.find('\n', begin) + 1;
    const std::string line = output.substr(begin, end - begin);
    if (line != "\n" && !line.starts_with("Time ")) result += line;
    begin = end;
  }
  return result;
}

}  // namespace

TEST_CASE("explanations") {
  const fs::path before = fs::current_path();
  fs::current_path(PTXMC_SOURCE_DIR);
  const auto runs = runs_in("docs/explanations.md");
  CHECK(runs.size() >= 12);
  for (const DocumentedRun& documented : runs) {
    CAPTURE(documented.arguments);
    CHECK(lasting(run(documented.arguments).output) == documented.output);
  }
  fs::current_path(before);
}

TEST_CASE("checking kernels") {
  const fs::path before = fs::current_path();
  for (const auto& [document, folder] :
       {std::pair{"docs/checking-a-kernel.md", "tests/kernels"}, std::pair{"README.md", "."}}) {
    fs::current_path(PTXMC_SOURCE_DIR);
    const auto runs = runs_in(document);
    fs::current_path(folder);
    for (const DocumentedRun& documented : runs) {
      if (!documented.arguments.starts_with("check ")) continue;
      CAPTURE(documented.arguments);
      CHECK(lasting(run(documented.arguments).output) == documented.output);
    }
  }
  fs::current_path(before);
}

TEST_CASE("differences between models") {
  const fs::path before = fs::current_path();
  fs::current_path(PTXMC_SOURCE_DIR);
  std::string output;
  for (const char* models : {"--model ptx-6.4 --model ptx-8.7", "--model ptx-7.5 --model ptx-8.7"})
    output += run("litmus --no-states " + std::string(models) + " litmus").output;
  std::ifstream lines("docs/model-differences.md");
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("    ") || !contains(line, " under ")) continue;
    ++count;
    CAPTURE(line);
    CHECK(contains(output, "\n" + line.substr(4) + "\n"));
  }
  CHECK(count >= 60);
  fs::current_path(before);
}

TEST_CASE("a model of one's own: the guide's weakened copy ignores scopes") {
  const Run shown = run("model ptx-8.7");
  const std::string scoped = "([strong]; sr; [strong])";
  std::string text = shown.output;
  REQUIRE(contains(text, scoped));
  text.replace(text.find(scoped), scoped.size(), "(strong * strong)");
  const fs::path file = fs::temp_directory_path() / ("ptxmc-" + std::to_string(getpid()) + "-no-scopes.cat");
  std::ofstream(file) << text;
  const std::string differences =
      run("litmus --no-states " PTXMC_SOURCE_DIR "/litmus/scopes --model ptx-8.7 --model " + file.string())
          .output;
  fs::remove(file);
  CHECK(contains(differences, "SB-fence.sc-other-gpu: allowed under ptx-8.7, forbidden under "));
  CHECK(contains(differences, "MP-fence-narrow-flag-write: allowed under ptx-8.7, forbidden under "));
  CHECK_FALSE(contains(differences, ": forbidden under ptx-8.7, allowed under "));
}
