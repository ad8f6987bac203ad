// What the documents show of runs of the program is what it prints.
#include <algorithm>
#include <regex>
#include <sstream>
#include <vector>

#include "documented_blocks.hpp"
#include "run.hpp"
#include "test_folder.hpp"

namespace {

/// The documents whose commands are executed.
std::vector<fs::path> documents() {
  std::vector<fs::path> result = {PTXMC_SOURCE_DIR "/README.md", PTXMC_SOURCE_DIR "/CONTRIBUTING.md",
                                  PTXMC_SOURCE_DIR "/litmus/README.md"};
  for (const auto& entry : fs::directory_iterator(PTXMC_SOURCE_DIR "/docs"))
    if (entry.path().extension() == ".md") result.push_back(entry.path());
  std::ranges::sort(result);
  return result;
}

/// Has what the commands name: the folders of the checkout, the documents' examples, and the kernels of
/// tests.
void fill(const fs::path& folder) {
  for (const char* name : {"litmus", "tests", "docs", "tools"})
    fs::create_directory_symlink(fs::path(PTXMC_SOURCE_DIR) / name, folder / name);
  for (const char* name : {"docs/examples", "tests/kernels"})
    for (const auto& entry : fs::directory_iterator(fs::path(PTXMC_SOURCE_DIR) / name))
      fs::create_symlink(entry.path(), folder / entry.path().filename());
}

/// The program that a command says to need (`# needs nvcc`), if it is missing here.
bool misses_something(const std::string& command) {
  const std::string word = "# needs ";
  const std::size_t found = command.find(word);
  return found != std::string::npos && shell("command -v " + command.substr(found + word.size())).status != 0;
}

}  // namespace

TEST_CASE("every command of the documents prints what they show") {
  std::size_t count = 0;
  for (const fs::path& document : documents()) {
    const TestFolder folder;
    fill(folder.path);
    for (const DocumentedCommand& documented : commands_in(text_in(document))) {
      if (misses_something(documented.command)) continue;
      ++count;
      const Run result = shell("cd " + folder.path.string() + " && PATH=\"$(dirname \"$PTXMC\"):$PATH\"\n{ " +
                               documented.command + "\n} 2>&1 < /dev/null");
      INFO(document.filename().string(), ":", documented.line, ": ", documented.command);
      INFO("shown:\n", lasting(documented.output));
      INFO("printed:\n", lasting(result.output));
      CHECK(result.status < 126);  // the shell has found the command
      CHECK(is_as_shown(result.output, documented.output));
    }
  }
  CHECK(count >= 28);
}

TEST_CASE("the README shows its example as it is") {
  std::string indented;
  std::istringstream lines(text_in(PTXMC_SOURCE_DIR "/docs/examples/message-passing.litmus"));
  for (std::string line; std::getline(lines, line);) indented += "    " + line + "\n";
  CHECK(contains(text_in(PTXMC_SOURCE_DIR "/README.md"), indented));
}

TEST_CASE("the README says how many sections of the instruction set have rules") {
  const std::string totals = run("isa").output;  // 197 sections, 134 with rules; …
  std::smatch numbers;
  REQUIRE(std::regex_search(totals, numbers, std::regex("([0-9]+) sections, ([0-9]+) with rules")));
  CHECK(contains(text_in(PTXMC_SOURCE_DIR "/README.md"), numbers[2].str() + " of the " + numbers[1].str() +
                                                             " sections of the instruction set have rules"));
}

TEST_CASE("blocks: what is a command, what its output, and what may differ") {
  const auto commands =
      commands_in("text $ no\n\n    $ a \\\n      b\n    out\n    $ c\n\n    no output\n```\n$ d\n\n```\n");
  REQUIRE(commands.size() == 3);
  CHECK(commands[0].line == 3);
  CHECK(commands[0].command == "a \\\n  b");
  CHECK(commands[0].output == "out\n");
  CHECK(commands[1].output == "");
  CHECK(commands[2].command == "d");
  CHECK(is_as_shown("Time x 0.10\n\na  0.003 s\n", "Time x 7.5\na 12.1 s\n"));
  CHECK(is_as_shown("1\n2\n3\n4\n", "1\n…\n4\n"));
  CHECK(is_as_shown("1\n2\n", "1\n…\n"));
  CHECK_FALSE(is_as_shown("1\n2\n3\n", "1\n…\n4\n"));
  CHECK_FALSE(is_as_shown("1\n2\n", "1\n"));
  CHECK_FALSE(is_as_shown("1\n", "1\n2\n"));
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
