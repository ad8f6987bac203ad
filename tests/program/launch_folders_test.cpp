// Folders of launch files, as the shell sees them.
#include <algorithm>

#include "run.hpp"
#include "test_folder.hpp"
#include "two_kernels.hpp"

TEST_CASE("folders of launch files are checked and run in the order of their paths") {
  const TestFolder folder;
  fs::create_directories(folder.path / "sub");
  fs::create_directories(folder.path / "empty");
  folder.add("two.ptx", two_kernels);
  folder.add("sub/two.ptx", two_kernels);
  folder.add("b.toml", launch_of("entry = \"k\"\n"));
  folder.add("a.toml", launch_of("entry = \"twice\"\n"));
  folder.add("sub/a.toml", launch_of("entry = \"k\"\n"));
  const std::string path = folder.path.string();
  const Run ran = run("run " + path);
  CHECK(ran.status == 0);
  CHECK(ran.output.find("/a.toml: no") < ran.output.find("/b.toml: no"));
  CHECK(ran.output.find("/b.toml: no") < ran.output.find("/sub/a.toml: no"));
  CHECK(contains(run("check " + path).output, "3 launches: 3 safe, "));
  for (const char* verb : {"check ", "run "}) {
    const Run empty = run(verb + path + "/empty");
    CHECK(empty.status == 2);
    CHECK(contains(empty.output, "/empty: error: found a folder, expected launch files (*.toml) in it"));
  }
  // Fences: launches and litmus tests.
  folder.add("t.litmus", "PTX t\n{}\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nexists (P1:r0 = 1)\n");
  const std::string fences = run("fences --markdown " + path).output;
  CHECK(contains(fences, "| t "));
  CHECK(contains(fences, "| b "));
}

TEST_CASE("the files of folders are inputs of campaigns") {
  const TestFolder folder;
  folder.add("two.ptx", two_kernels);
  for (char name = 'a'; name <= 'f'; ++name)
    folder.add(std::string(1, name) + ".toml", launch_of("entry = \"k\"\n"));
  const std::string path = folder.path.string(), at = path + "/";
  run("check --shard 1/2 --results " + at + "1.jsonl " + path);
  run("check --shard 2/2 --results " + at + "2.jsonl " + path);
  CHECK(contains(run("merge " + at + "1.jsonl " + at + "2.jsonl").output, "6 launches: 6 safe, "));
  std::size_t lines = 0;
  for (const char* shard : {"1/2", "2/2"}) {
    const std::string output = run(std::string("check --json --shard ") + shard + " " + path).output;
    lines += static_cast<std::size_t>(std::count(output.begin(), output.end(), '\n'));
  }
  CHECK(lines == 6);
}
