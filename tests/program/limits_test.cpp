// Limits on time and memory, numbers that flags may have, and Ctrl-C.
#include <chrono>
#include <string>
#include <vector>

#include "run.hpp"
#include "test_folder.hpp"
#include "tests/sanitized.hpp"

namespace {

constexpr const char* store_buffering = PTXMC_SOURCE_DIR "/litmus/store-buffering/SB-relaxed.litmus";
constexpr const char* lock = PTXMC_SOURCE_DIR "/tests/kernels/lock_ok.toml";

/// A command line for each flag with a number, which is to follow.
std::vector<std::string> numeric_flags() {
  std::vector<std::string> result;
  for (const std::string& verb : {std::string("litmus ") + store_buffering, std::string("check ") + lock})
    for (const char* flag : {"--timeout", "--memory", "--bound", "--events", "--jobs"})
      result.push_back(verb + " " + flag);
  for (const char* flag : {"--max-states", "--witnesses"})
    result.push_back(std::string("litmus ") + store_buffering + " " + flag);
  for (const char* flag : {"--seed", "--steps"}) result.push_back(std::string("run ") + lock + " " + flag);
  for (const char* flag : {"--grid", "--block", "--cluster"})
    result.push_back(std::string("check ") + lock + " " + flag);
  result.emplace_back("eval --timeout");
  return result;
}

}  // namespace

TEST_CASE("a number that a flag cannot have is one error that names the flag") {
  for (const std::string& command : numeric_flags())
    for (const std::string value :
         {"nan", "-5", "18446744073709551616", "1e400", "inf", "abc", "0x10", "''"}) {
      const std::string flag = command.substr(command.rfind("--"));
      CAPTURE(command);
      CAPTURE(value);
      const Run wrong = run(command + " " + value);
      CHECK(wrong.status == 2);
      const std::string found = value == "''" ? value : "'" + value + "'";
      CHECK(wrong.output.starts_with(flag + ": error: found " + found + ", expected "));
      CHECK(wrong.output.find('\n') + 1 == wrong.output.size());
    }
}

TEST_CASE("an input with more events than it may have is unknown") {
  CHECK(run(std::string("check --events 1000 ") + lock).status == 0);
  const Run launch = run(std::string("check --events 3 ") + lock);
  CHECK(launch.status == 3);
  CHECK(contains(launch.output, "unknown (events: 3)"));
  const Run states = run(std::string("check --events 3 --states counter ") + lock);
  CHECK(states.status == 3);
  CHECK(contains(states.output, "events: 3"));
  const Run litmus = run(std::string("litmus --events 3 ") + store_buffering);
  CHECK(litmus.status == 3);
  CHECK(contains(litmus.output, "unknown: events: 3"));
}

TEST_CASE("an input without end is refused" * doctest::skip(is_sanitized)) {
  for (const std::string command :
       {"litmus /dev/zero", "check /dev/zero", "run /dev/zero", "parse /dev/zero",
        "check --entry k --module /dev/zero x.ptx", "eval /dev/zero", "litmus --model /dev/zero ."}) {
    CAPTURE(command);
    const Run endless =
        shell("ulimit -v 4000000; cd " PTXMC_SOURCE_DIR "/litmus; \"$PTXMC\" " + command + " 2>&1");
    CHECK(endless.status == 2);
    CHECK(contains(endless.output, "/dev/zero"));
    CHECK(contains(endless.output, "more than"));
  }
}

TEST_CASE("a Graphviz that hangs costs no more than the limit, and the verdict stands") {
  const TestFolder folder;
  folder.add("dot", "#!/bin/sh\nsleep 100\n");
  const auto start = std::chrono::steady_clock::now();
  const Run hanging = shell("chmod +x " + folder.path.string() + "/dot; PATH=" + folder.path.string() +
                            ":$PATH \"$PTXMC\" litmus --timeout 1 --witness " + folder.path.string() +
                            "/w.svg " + store_buffering + " 2>&1");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(50));
  CHECK(hanging.status == 3);
  CHECK(contains(hanging.output, "Sometimes"));
  CHECK(contains(hanging.output, "w.svg: the drawing is not finished: timeout\n"));
  CHECK_FALSE(fs::exists(folder.path / "w.svg"));
}

TEST_CASE("reading counts for the limit of what is read") {
  const TestFolder folder;
  // Nothing ever writes to the pipe.
  const std::string script = "cd " + folder.path.string() + "; mkfifo pipe.litmus pipe.toml pipe.cat; ";
  const std::string limited = "\"$PTXMC\" $verb --timeout 0.1 $file 2>&1";
  const auto outcome = [&](const std::string& verb, const std::string& file) {
    return shell(script + "verb='" + verb + "'; file='" + file + "'; " + limited +
                 "; status=$?; rm pipe.*; exit $status");
  };
  const Run litmus = outcome("litmus", "pipe.litmus");
  CHECK(litmus.status == 3);
  CHECK(litmus.output == "pipe.litmus: unknown: timeout while the file was read\n");
  const Run check = outcome("check", "pipe.toml");
  CHECK(check.status == 3);
  CHECK(check.output == "pipe.toml: unknown: timeout while the file was read\n");
  const Run model = outcome("litmus --model pipe.cat", store_buffering);
  CHECK(model.status == 3);
  CHECK(model.output == "ptxmc: unknown: the model pipe.cat: timeout while it was read\n");
}

TEST_CASE("the default limits stand in the help") {
  CHECK(contains(run("litmus --help").output, "60 when left out"));
  CHECK(contains(run("check --help").output, "300 when left out"));
}

// The search for leaks at the end can take longer than the five seconds after which an interrupted program
// ends.
TEST_CASE("Ctrl-C ends what waits, and what is known stands" * doctest::skip(is_sanitized)) {
  const TestFolder folder;
  const std::string prepared = "cd " + folder.path.string() + "; mkfifo lines test.litmus; exec 4<> lines; ";
  const std::string interrupted = "kill -INT $!; wait $!; status=$?; cat out; exit $status";
  // Waits for another line.
  const Run eval = shell(prepared + "echo 'add.u32;1,2' >&4; \"$PTXMC\" eval < lines > out 2>&1 &" +
                         " until [ -s out ]; do sleep 0.1; done; " + interrupted);
  CHECK(eval.status == 3);
  CHECK(eval.output == "add.u32;1,2;00000003\ninterrupted: the results known so far are above\n");
  // Waits for its file, which the shell opens as soon as the program does.
  const Run litmus =
      shell("cd " + folder.path.string() +
            "; \"$PTXMC\" litmus test.litmus > out 2>&1 & exec 5> test.litmus; " + interrupted);
  CHECK(litmus.status == 3);
  CHECK(litmus.output ==
        "test.litmus: unknown: interrupted while the file was read\n"
        "interrupted: the results known so far are above\n");
}
