// Campaigns: --shard, --results and merge as the shell sees them.
#include <regex>
#include <vector>

#include "run.hpp"
#include "test_folder.hpp"

namespace {

const std::string library = PTXMC_SOURCE_DIR "/litmus/manual";

/// Without what differs from run to run.
std::string without_times(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(\s+[0-9.]+ s\b|"time_s":[-0-9.e]+,?)"), "");
}

std::string sorted_lines(const std::string& arguments) {
  return without_times(shell("\"$PTXMC\" " + arguments + " 2>&1 < /dev/null | LC_ALL=C sort").output);
}

}  // namespace

TEST_CASE("the shards of a campaign together are the whole") {
  const TestFolder folder;
  const std::string at = folder.path.string() + "/";
  const std::string question = " --model ptx-8.7 --model sc " + library;
  for (const char* shard : {"1/3", "2/3", "3/3"})
    run(std::string("litmus --shard ") + shard + " --results " + at + shard[0] + ".jsonl" + question);
  const std::string merged = at + "1.jsonl " + at + "2.jsonl " + at + "3.jsonl";
  CHECK(sorted_lines("merge --json " + merged) == sorted_lines("litmus --json" + question));
  CHECK(sorted_lines("merge " + merged) == sorted_lines("litmus" + question));
  CHECK(run("merge " + merged).status == run("litmus" + question).status);
  const Run incomplete = run("merge " + at + "1.jsonl " + at + "3.jsonl");
  CHECK(incomplete.status == 3);
  CHECK(contains(incomplete.output, "no results of shard 2/3\n"));
}

TEST_CASE("a run that was killed goes on where it was") {
  const TestFolder folder;
  const std::string whole = (folder.path / "whole.jsonl").string();
  const Run first = run("litmus --results " + whole + " " + library);
  const std::string text = text_in(whole);
  for (const std::size_t length : {std::size_t{0}, std::size_t{40}, text.size() / 2, text.size() - 1}) {
    const std::string cut = folder.add("cut.jsonl", text.substr(0, length));
    const Run again = run("litmus --results " + cut + " " + library);
    CHECK(again.status == first.status);
    CHECK(without_times(again.output) == without_times(first.output));
  }
  // Nothing is decided twice: the file grows by the line of the new start.
  run("litmus --results " + whole + " " + library);
  CHECK(text_in(whole).size() - text.size() < 200);
}

TEST_CASE("a test that was changed is decided again") {
  const TestFolder folder;
  const std::string test = "PTX t\n{ x = 0; }\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nexists (P1:r0 = ";
  const std::string file = folder.add("t.litmus", test + "1)\n");
  const std::string results = (folder.path / "r.jsonl").string();
  CHECK(run("litmus --results " + results + " " + file).status == 0);
  folder.add("t.litmus", test + "2)\n");
  const Run changed = run("litmus --results " + results + " " + file);
  CHECK(changed.status == 1);
  CHECK(contains(changed.output, "1 test: 0 allowed, 1 forbidden"));
}

TEST_CASE("launches, comparisons and fences are campaigns too") {
  const TestFolder folder;
  const std::string kernels =
      PTXMC_SOURCE_DIR "/tests/kernels/scale_ok.toml " PTXMC_SOURCE_DIR "/tests/kernels/scale_bug_bound.toml";
  const auto results = [&](const char* name) { return (folder.path / name).string(); };
  const Run checked = run("check --results " + results("c.jsonl") + " " + kernels);
  CHECK(without_times(checked.output) == without_times(run("merge " + results("c.jsonl")).output));
  CHECK(contains(checked.output, "2 launches: 1 safe, 1 with findings"));
  CHECK(sorted_lines("merge --json " + results("c.jsonl")) == sorted_lines("check --json " + kernels));

  folder.add("t.source.litmus", "PTX s\n{}\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nexists (P1:r0 = 1)\n");
  folder.add("t.target.litmus", "PTX t\n{}\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nexists (P1:r0 = 1)\n");
  const Run compared = run("compare --results " + results("p.jsonl") + " " + folder.path.string());
  CHECK(compared.status == 0);
  CHECK(contains(compared.output, "t.target.litmus: refines\n1 of 1 targets refine their sources\n"));

  const std::string test = PTXMC_SOURCE_DIR "/litmus/manual/manual-MP.litmus";
  const Run fences = run("fences --results " + results("f.jsonl") + " " + test);
  CHECK(run("fences " + test).output.starts_with(fences.output));  // the changes of the text follow
  CHECK(fences.output == run("merge " + results("f.jsonl")).output);
}

TEST_CASE("the parts of one test together are the whole") {
  const TestFolder folder;
  const std::string alike =
      folder.add("alike.litmus",
                 "PTX alike\n{ x = 0; }\n P0 | P1 | P2 | P3 ;\n"
                 " atom.add.u32 r0, x, 1 | atom.add.u32 r0, x, 1 | atom.add.u32 r0, x, 1 "
                 "| atom.add.u32 r0, x, 1 ;\nexists (P0:r0 = 0 /\\ P3:r0 = 3)\n");
  for (const std::string& test :
       std::vector<std::string>{alike, PTXMC_SOURCE_DIR "/litmus/cumulativity/IRIW-fence.sc.litmus",
                                PTXMC_SOURCE_DIR "/litmus/sizes/mixed-size-atom-cas.litmus"})
    for (const std::string flags : {"--executions", "--max-states 2", ""})
      for (const int of : {2, 3, 7}) {
        CAPTURE(test);
        CAPTURE(flags);
        const std::string question = flags + " " + test;
        std::string files;
        for (int number = 1; number <= of; ++number) {
          const std::string file = (folder.path / (std::to_string(number) + ".jsonl")).string();
          fs::remove(file);
          const std::string shard = std::to_string(number) + "/" + std::to_string(of);
          CHECK(run("litmus --shard " + shard + " --results " + file + " " + question).status == 3);
          files += " " + file;
        }
        const std::string whole = "litmus --engine explorer --json " + question;
        if (flags != "--max-states 2") CHECK(sorted_lines("merge --json" + files) == sorted_lines(whole));
        CHECK(run("merge" + files).status == run(whole).status);
      }
}

TEST_CASE("the verdict of a part is not that of the whole") {
  const TestFolder folder;
  const std::string results = (folder.path / "r.jsonl").string();
  const std::string test = library + "/manual-MP.litmus";
  const Run part = run("litmus --shard 1/2 --results " + results + " " + test);
  CHECK(part.status == 3);
  CHECK(contains(part.output, "1 test: 0 allowed, 0 forbidden, 1 unknown"));
  CHECK(contains(part.output, "no results of part 2/2"));
  CHECK(contains(run("merge --json " + results).output, R"("verdict":"unknown","holds":null)"));
  CHECK_FALSE(contains(text_in(results), R"("results":[{"answer")"));
  // The other part may be in the same file, and nothing is decided twice.
  const Run both = run("litmus --shard 2/2 --results " + results + " " + test);
  CHECK(both.status == 0);
  const std::size_t size = text_in(results).size();
  run("litmus --shard 1/2 --results " + results + " " + test);
  CHECK(text_in(results).size() - size < 200);
}

TEST_CASE("what has no parts is refused") {
  const std::string divided = "litmus --shard 1/2 " + library + "/manual-MP.litmus ";
  CHECK(contains(run(divided).output, "--shard: error: found no --results"));
  const std::string with_results = divided + "--results /tmp/unused.jsonl ";
  for (const char* flag : {"--race", "--explain", "--model sc --model ptx-8.7"}) {
    const Run refused = run(with_results + flag);
    CHECK(refused.status == 2);
    CHECK(contains(refused.output, "the exploration of one test is divided"));
  }
  const TestFolder folder;
  const Run smt = run(divided + "--engine smt --results " + (folder.path / "r.jsonl").string());
  CHECK(smt.status == 2);
  CHECK(contains(smt.output, "found a part for the SMT engine"));
}

TEST_CASE("an input in error is a result of the campaign") {
  const TestFolder folder;
  const std::string wrong = folder.add("wrong.litmus", "PTX t {");
  const std::string results = (folder.path / "r.jsonl").string();
  const Run first = run("litmus --results " + results + " " + wrong);
  CHECK(first.status == 2);
  CHECK(contains(first.output, "wrong.litmus:1:"));
  CHECK(contains(first.output, "1 in error"));
  CHECK(run("merge " + results).status == 2);
  CHECK(contains(run("merge --json " + results).output, R"("error":"wrong input")"));
}

TEST_CASE("wrong uses of campaigns are named") {
  const TestFolder folder;
  const std::string results = (folder.path / "r.jsonl").string();
  for (const char* shard : {"0/3", "4/3", "1", "/", "1/0", "a/b"}) {
    const Run wrong = run(std::string("litmus --shard ") + shard + " " + library);
    CHECK(wrong.status == 2);
    CHECK(contains(wrong.output, "--shard: error: found "));
  }
  run("litmus --results " + results + " " + library);
  const Run other = run("litmus --model sc --results " + results + " " + library);
  CHECK(other.status == 2);
  CHECK(contains(other.output, "--results: error: found `ptxmc "));
  CHECK(contains(run("litmus --results " + results + " --witness a.svg " + library).output,
                 "--results: error: found --witness too"));
  CHECK(contains(run("litmus --results " + results + " -").output, "found standard input"));
  CHECK(run("merge " + (folder.path / "missing.jsonl").string()).status == 2);
  CHECK(run("litmus --results /missing/r.jsonl " + library).status == 2);
  // A process holds the lock of the file while it decides; here the shell does.
  const Run busy = shell("exec 9>>" + results + "; flock 9; \"$PTXMC\" litmus --results " + results + " " +
                         library + " 2>&1 9>&-");
  CHECK(busy.status == 2);
  CHECK(contains(busy.output, "found a file that another process writes"));
}
