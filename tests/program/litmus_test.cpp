// `ptxmc litmus` as the shell sees it: what it reads, prints and draws.
#include "run.hpp"
#include "test_folder.hpp"

namespace {

const std::string message_passing =
    "PTX MP\n{ x = 0; y = 0; }\n P0 | P1 ;\n st x, 1 | ld.relaxed.gpu r0, y ;\n"
    " st.relaxed.gpu y, 1 | ld r1, x ;\nexists (P1:r0 = 1 /\\ P1:r1 = 0)\n";

/// Four threads, of which each reads what all others write.
std::string many_states() {
  return "PTX many\n{}\n P0 | P1 | P2 | P3 ;\n"
         " st.relaxed.gpu a, 1 | st.relaxed.gpu b, 1 | st.relaxed.gpu c, 1 | st.relaxed.gpu d, 1 ;\n"
         " ld.relaxed.gpu r0, b | ld.relaxed.gpu r0, c | ld.relaxed.gpu r0, d | ld.relaxed.gpu r0, a ;\n"
         "exists (P0:r0 = 0 /\\ P1:r0 = 0 /\\ P2:r0 = 0 /\\ P3:r0 = 0)\n";
}

}  // namespace

TEST_CASE("a test is read from standard input, and with a byte order mark") {
  const TestFolder folder;
  const std::string file = folder.add("mp.litmus", message_passing);
  const Run plain = run("litmus " + file);
  CHECK(contains(plain.output, "Test MP Allowed\nStates 4\n"));
  CHECK(shell("\"$PTXMC\" litmus - < " + file + " 2>&1").status == 0);
  CHECK(contains(shell("\"$PTXMC\" litmus - < " + file + " 2>&1").output, "Test MP Allowed\nStates 4\n"));
  CHECK(run("litmus " + folder.add("bom.litmus", "\xef\xbb\xbf" + message_passing)).status == 0);
  const Run wrong = run("litmus " + folder.add("wrong.litmus", "\xef\xbb\xbfPTZ t {}"));
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.output, ":1:1: error: found 'PTZ', expected 'PTX' or 'C'\n  PTZ t {}\n  ^\n"));
}

TEST_CASE("a file that is missing does not keep the others from being decided") {
  const TestFolder folder;
  const std::string missing = (folder.path / "missing.litmus").string();
  const std::string file = folder.add("mp.litmus", message_passing);
  for (const std::string& files : {missing + " " + file, file + " " + missing}) {
    const Run result = run("litmus --verbose " + files);
    CHECK(result.status == 2);
    CHECK(contains(result.output, missing + ": error: found no such file, expected a litmus test\n"));
    CHECK(contains(result.output, "Test MP Allowed\nStates 4\n"));
    CHECK(contains(result.output, "1 of 2 files are wrong"));
  }
  const std::string empty = (folder.path / "empty").string();
  std::filesystem::create_directory(empty);
  const Run result = run("litmus --json " + empty + " " + file);
  CHECK(result.status == 2);
  CHECK(contains(result.output, "found no .litmus or .test file in this folder"));
  CHECK(contains(result.output, R"("name":"MP")"));
}

TEST_CASE("all mistakes of a file are shown") {
  const TestFolder folder;
  const Run wrong = run("litmus " + folder.add("a.litmus",
                                               "PTX a\n{ x = 0; }\n P0 | P1 ;\n lod r0, x | st.weak x 1 ;\n"
                                               " ld.weak r0, | ld.weak r0, x ;\nexists (P1:r0 = 0)\n"));
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.output, "a.litmus:4:24: error: found '1', expected '|' or ';'\n"));
  CHECK(contains(wrong.output, "a.litmus:5:14: error: found '|', expected an operand\n"));
}

TEST_CASE("warnings go to standard error and into the JSON") {
  const TestFolder folder;
  const std::string file =
      folder.add("typo.litmus",
                 "PTX typo\n{ flag = 0; }\n P0 | P1 ;\n st.weak flag, 1 | ld.weak r0, falg ;\n"
                 "exists (P1:r0 = 1)\n");
  const Run text = run("litmus " + file);
  CHECK(contains(text.output,
                 "typo.litmus:4:32: warning: 'falg' is not declared and never written: it holds 0; "
                 "did you mean 'flag'?\n   st.weak flag, 1 | ld.weak r0, falg ;\n"));
  const Run json = run("litmus --json " + file);
  CHECK(contains(json.output, R"("warnings":[{"line":4,"column":32,"message":"'falg' is not declared)"));
  CHECK_FALSE(contains(run("litmus --quiet " + file).output, "warning"));
}

TEST_CASE("so many final states are kept as is asked for, and the JSON says whether these are all") {
  const TestFolder folder;
  const std::string file = folder.add("many.litmus", many_states());
  for (const std::string engine : {"explorer", "smt", "auto"}) {
    CAPTURE(engine);
    const std::string asked = "litmus --json --engine " + engine + " " + file;
    CHECK(contains(run(asked).output, R"("complete":true)"));
    CHECK(contains(run(asked + " --max-states 16").output, R"("complete":true)"));
    const Run few = run(asked + " --max-states 15");
    CHECK(contains(few.output, R"("complete":false)"));
    CHECK(contains(few.output, R"("verdict":"allowed")"));
  }
  CHECK(run("litmus --max-states 0 " + file).status == 2);
}

TEST_CASE("several witnesses are drawn, one for each state") {
  const TestFolder folder;
  const std::string file = folder.add("mp.litmus", message_passing);
  const std::string picture = (folder.path / "w.txt").string();
  CHECK(run("litmus --witness " + picture + " --witnesses 3 " + file).status == 0);
  CHECK(contains(text_in(folder.path / "w.txt"), "exists (1:r0=1 /\\ 1:r1=0)"));
  CHECK(contains(text_in(folder.path / "w-2.txt"), "1:r0=0; 1:r1=0;"));
  CHECK(contains(text_in(folder.path / "w-3.txt"), "1:r0=0; 1:r1=1;"));
  CHECK_FALSE(fs::exists(folder.path / "w-4.txt"));
}

TEST_CASE("an unknown answer is drawn by a state that was found") {
  const TestFolder folder;
  const std::string file = folder.add("loop.litmus",
                                      "PTX loop\n{ x = 0; }\n P0 | P1 ;\n L: atom.relaxed.gpu.add r0, x, 1 | "
                                      "st.relaxed.gpu x, 5 ;\n blt r0, 5, L | ;\nexists (x = 77)\n");
  const Run unknown = run("litmus --witness " + (folder.path / "w.txt").string() + " " + file);
  CHECK(unknown.status == 3);
  CHECK(contains(text_in(folder.path / "w.txt"), "[x]=6;"));
}

TEST_CASE("the names that a model may use are listed with their meaning") {
  const Run names = run("model --names");
  CHECK(names.status == 0);
  CHECK(contains(
      names.output,
      "\n  RMW             The reads and writes of read-modify-writes; a failed cas has only a read.\n"));
  CHECK(contains(names.output, "\n  rmw             From the read of a read-modify-write to its write.\n"));
  CHECK(contains(names.output, "\n                  `let rfe = rf & ext`\n"));
}
