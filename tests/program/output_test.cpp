// Output that cannot be written, and what of the input's text reaches a terminal.
#include <algorithm>
#include <string>
#include <vector>

#include "run.hpp"
#include "test_folder.hpp"

namespace {

constexpr const char* kernel_folder = PTXMC_SOURCE_DIR "/tests/kernels/";

/// A command line for each verb that prints something, and for the help.
std::vector<std::string> printing_commands() {
  return {
      "--help",
      "--version",
      "litmus --help",
      "litmus " PTXMC_SOURCE_DIR "/litmus/store-buffering/SB-relaxed.litmus",
      "litmus --json " PTXMC_SOURCE_DIR "/litmus/store-buffering/SB-relaxed.litmus",
      "litmus " PTXMC_SOURCE_DIR "/litmus/store-buffering/SB-relaxed.litmus " PTXMC_SOURCE_DIR
      "/litmus/store-buffering/SB-forwarded.litmus",
      std::string("check ") + kernel_folder + "lock_ok.toml",
      std::string("check --json ") + kernel_folder + "lock_ok.toml",
      std::string("check --markdown ") + kernel_folder + "lock_ok.toml " + kernel_folder + "edges_ok.toml",
      std::string("run ") + kernel_folder + "lock_ok.toml",
      "parse " PTXMC_SOURCE_DIR "/tests/src/ptx/modules/language.ptx",
      "parse --json " PTXMC_SOURCE_DIR "/tests/src/ptx/modules/language.ptx",
      "parse --print " PTXMC_SOURCE_DIR "/tests/src/ptx/modules/language.ptx",
      "eval " PTXMC_SOURCE_DIR "/tests/program/add.txt",
      "explain add.u32",
      "isa",
      "isa add",
      "model",
      "model ptx-8.7"};
}

}  // namespace

TEST_CASE("a full disk below standard output is wrong input, and said") {
  for (const std::string& command : printing_commands()) {
    CAPTURE(command);
    const Run full = shell("{ \"$PTXMC\" " + command + " > /dev/full; } 2>&1");
    CHECK(full.status == 2);
    CHECK(full.output == "ptxmc: standard output cannot be written: No space left on device\n");
  }
}

TEST_CASE("a closed standard output is wrong input, and said") {
  for (const std::string& command : printing_commands()) {
    CAPTURE(command);
    const Run closed = shell("{ \"$PTXMC\" " + command + " >&-; } 2>&1");
    CHECK(closed.status == 2);
    CHECK(closed.output == "ptxmc: standard output cannot be written: Bad file descriptor\n");
  }
}

TEST_CASE("a pipe that nothing reads is wrong input, and said") {
  for (const std::string& command : printing_commands()) {
    CAPTURE(command);
    const TestFolder folder;
    const std::string said = (folder.path / "said").string(), status = (folder.path / "status").string();
    shell("{ sleep 0.05; \"$PTXMC\" " + command + " 2> " + said + "; echo $? > " + status + "; } | true");
    CHECK(text_in(status) == "2\n");
    CHECK(text_in(said) == "ptxmc: standard output cannot be written: Broken pipe\n");
  }
}

TEST_CASE("with standard error closed or full, what cannot be said is wrong input") {
  for (const char* errors : {"2>&-", "2>/dev/full"}) {
    CAPTURE(std::string(errors));
    for (const std::string& command : printing_commands()) {  // nothing to be said
      CAPTURE(command);
      CHECK(shell("\"$PTXMC\" " + command + " " + errors + " > /dev/null").status == 0);
    }
    for (const char* command :
         {"", "litmus", "no-such-verb", "litmus no/such/file", "check no/such/file", "run no/such/file",
          "parse no/such/file", "eval no/such/file", "explain 'no.such'", "isa no-such", "model no-such"}) {
      CAPTURE(std::string(command));
      CHECK(shell("\"$PTXMC\" " + std::string(command) + " " + errors).status == 2);
    }
    CHECK(shell("\"$PTXMC\" model > /dev/full " + std::string(errors)).status == 2);
    CHECK(shell("echo 'trap;' | \"$PTXMC\" eval " + std::string(errors)).status == 2);  // unsupported: 3
  }
}

TEST_CASE("files that cannot be written are wrong input, and said") {
  const std::string test = PTXMC_SOURCE_DIR "/litmus/store-buffering/SB-relaxed.litmus";
  const TestFolder folder;
  const std::string full = (folder.path / "full").string();
  for (const char* extension : {".txt", ".dot"}) {
    fs::create_symlink("/dev/full", full + extension);
    const Run drawn = run("litmus --quiet " + test + " --witness " + full + extension);
    CHECK(drawn.status == 2);
    CHECK(contains(drawn.output, full + extension + ": error: "));
    CHECK(contains(drawn.output, "No space left on device"));
  }
  const Run logged = run("check --quiet --sarif /dev/full " + std::string(kernel_folder) + "lock_ok.toml");
  CHECK(logged.status == 2);
  CHECK(contains(logged.output, "/dev/full: error: "));
  CHECK(contains(logged.output, "No space left on device"));
  CHECK(run("check --quiet --sarif no/such/folder/x " + std::string(kernel_folder) + "lock_ok.toml").status ==
        2);
}

TEST_CASE("a limit on the size of files is said, and an input that cannot be read") {
  const TestFolder folder;
  const Run limited =
      shell("cd " + folder.path.string() + "; ulimit -f 1; { \"$PTXMC\" isa --markdown > out; } 2>&1");
  CHECK(limited.status == 2);
  CHECK(limited.output == "ptxmc: standard output cannot be written: File too large\n");
  const Run closed = shell("{ \"$PTXMC\" eval <&-; } 2>&1");
  CHECK(closed.status == 2);
  CHECK(contains(closed.output, "<standard input>: error: found an input that cannot be read"));
}

TEST_CASE("control characters of inputs are escaped on the way to a terminal") {
  const TestFolder folder;
  const std::string evil = "e\x1b]0;title\a\r\u202e\xc2\x9b\xff";
  const auto is_harmless = [](const std::string& output) {
    for (const char c : {'\x1b', '\a', '\r', '\xff'})
      if (output.find(c) != std::string::npos) return false;
    return !contains(output, "\u202e") && !contains(output, "\xc2\x9b");
  };
  const std::string test =
      folder.add("t.litmus", "PTX " + evil + "\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n st.week x, 1 ; // " + evil +
                                 "\nexists (x == 1)\n");
  const std::string module = folder.add("m.ptx", ".version 8.7\n.target sm_90\n.week " + evil + "\n");
  const std::string line = folder.add("l.txt", "add.u32 " + evil + ";1,2\nadd.u33;1 " + evil + "\n");
  const std::string launch = folder.add("l.toml", "module = \"" + evil + "\n");
  for (const std::string& command :
       {"litmus '" + test + "'", "parse '" + module + "'", "eval '" + line + "'", "check '" + launch + "'",
        "run '" + launch + "'", "explain '" + evil + "'", "isa '" + evil + "'", "model '" + evil + "'",
        "litmus '" + evil + "'", "litmus --'" + evil + "' x", "parse '" + evil + "'", "eval '" + evil + "'",
        "check '" + evil + "'"}) {
    CAPTURE(command);
    const Run result = run(command);
    CHECK(result.status == 2);
    CHECK(result.output != "");
    CHECK(is_harmless(result.output));
  }
  CHECK(contains(run("parse 'a\nb'").output, "a\\nb: error: "));  // a name forges no line
}

TEST_CASE("of very many open calls the innermost and the first are shown") {
  const TestFolder folder;
  folder.add("k.ptx",
             ".version 8.7\n.target sm_90\n.address_size 64\n.func f();\n.func f() { call f; ret; }\n"
             ".visible .entry k() { call f; ret; }\n");
  const std::string launch =
      folder.add("k.toml", "module = \"k.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = [1]\n");
  const Run result = run("run --quiet " + launch);
  CHECK(result.status == 1);
  CHECK(contains(result.output, "call-depth: more than 1024 calls are open"));
  CHECK(contains(result.output, "    … 1012 more calls\n    in k at line 6\n"));
  CHECK(std::ranges::count(result.output, '\n') == 14);
}

TEST_CASE("what a kernel prints is escaped") {
  const TestFolder folder;
  folder.add("p.ptx", R"(.version 8.7
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[8] = {104, 27, 91, 50, 74, 13, 10, 0};
.visible .entry k()
{
  .reg .b64 %rd<3>;
  mov.u64 %rd1, text;
  { .param .b64 p0; .param .b64 p1; .param .b32 r0;
    st.param.b64 [p0], %rd1;
    st.param.b64 [p1], 0;
    call.uni (r0), vprintf, (p0, p1);
  }
  ret;
}
)");
  const std::string launch =
      folder.add("p.toml", "module = \"p.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = [1]\n");
  const Run result = run("run " + launch);
  CHECK(result.status == 0);
  CHECK(contains(result.output, "h\\x1b[2J\\r\n"));
}
