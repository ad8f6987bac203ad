// The program as the shell sees it: what it prints, and its exit status.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "run.hpp"
#include "tests/sanitized.hpp"

namespace fs = std::filesystem;

namespace {

/// A folder with tests, gone after the test.
struct Tests {
  fs::path path = fs::temp_directory_path() / ("ptxmc-program-" + std::to_string(getpid()));
  Tests() { fs::create_directories(path); }
  ~Tests() { fs::remove_all(path); }

  std::string add(const std::string& name, const std::string& condition,
                  const std::string& comment = "") const {
    std::ofstream(path / name) << "PTX " << fs::path(name).stem().string() << "\n"
                               << comment << "{ x = 0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                               << " st.relaxed.cta x, 1 | ld.relaxed.cta r0, x ;\n"
                               << condition << "\n";
    return (path / name).string();
  }
};

}  // namespace

TEST_CASE("one test is printed as herd prints it; the status says whether its condition holds") {
  const Tests tests;
  const Run holds = run("litmus " + tests.add("a.litmus", "exists (P1:r0 == 1)"));
  CHECK(holds.status == 0);
  CHECK(contains(holds.output, "Test a Allowed\nStates 2\n1:r0=0;\n1:r0=1;\nOk\n"));
  CHECK(contains(holds.output, "\nObservation a Sometimes 1 1\n"));
  const Run fails = run("litmus " + tests.add("b.litmus", "exists (P1:r0 == 2)"));
  CHECK(fails.status == 1);
  CHECK(contains(fails.output, "\nNo\n"));
}

TEST_CASE("a test that says what it expects of the model is judged by that") {
  const Tests tests;
  CHECK(run("litmus " + tests.add("a.litmus", "exists (P1:r0 == 2)", "(* expect sc forbidden *)\n") +
            " --model sc")
            .status == 0);
  CHECK(run("litmus " + tests.add("b.litmus", "exists (P1:r0 == 1)", "(* expect sc forbidden *)\n") +
            " --model sc")
            .status == 1);
}

TEST_CASE("a folder is run to its end whatever is in it, in order, and the gravest status stands") {
  const Tests tests;
  tests.add("a.litmus", "exists (P1:r0 == 1)");
  tests.add("b.litmus", "exists (P7:r0 == 1)");
  tests.add("c.litmus", "exists (P1:r0 == 2)");
  const Run both = run("litmus --jobs 2 " + tests.path.string());
  CHECK(both.status == 2);
  CHECK(contains(both.output, "b.litmus:5:9: error: found thread 'P7'"));
  CHECK(contains(both.output, "1 of 3 files are wrong"));
  CHECK(both.output.find("\na  ") < both.output.find("\nc  "));
  const Run json = run("litmus --json --model sc " + tests.path.string());
  CHECK(json.status == 2);
  CHECK(contains(json.output, ",\"name\":\"a\",\"model\":\"sc\","));
  CHECK(contains(json.output, ",\"name\":\"c\",\"model\":\"sc\","));
  CHECK_FALSE(contains(json.output, "\"name\":\"b\""));
}

TEST_CASE("one model after --model; what follows are tests") {
  const Tests tests;
  const std::string first = tests.add("a.litmus", "exists (P1:r0 == 1)");
  const Run both = run("litmus --model sc " + first + " " + tests.add("b.litmus", "exists (P1:r0 == 0)"));
  CHECK(both.status == 0);
  CHECK(contains(both.output, "\n2 tests: "));
}

TEST_CASE("a wrong command line, file or model is wrong input") {
  const Tests tests;
  const std::string test = tests.add("a.litmus", "exists (P1:r0 == 1)");
  CHECK(run("").status == 2);
  CHECK(run("litmus").status == 2);
  CHECK(run("litmus no/such/file").status == 2);
  CHECK(run("litmus --engine oracle " + test).status == 2);
  CHECK(run("litmus --model no-such-model " + test).status == 2);
  CHECK(run("litmus --witness " + tests.path.string() + "/w.txt " + test + " " + test).status == 2);
  CHECK(run("litmsu " + test)
            .output.starts_with("litmsu: error: found no such verb, expected one of litmus, "));
  CHECK(run("litmus --property deadlocks " + test)
            .output.starts_with("--property: deadlocks not in {condition,race,termination,"));
}

TEST_CASE("an option with an empty value is an error, and not one that is absent") {
  for (const std::string verb : {"litmus ", "check ", "run ", "eval "}) {
    const std::string help = run(verb + "--help").output;
    for (const std::string flag : {"--witness", "--model", "--module", "--entry", "--grid", "--assume",
                                   "--final", "--exists", "--states", "--sarif", "--property", "--seed"})
      if (contains(help, "  " + flag + " ")) {
        CAPTURE(verb + flag);
        const Run empty = run(verb + flag + " '' x");
        CHECK(empty.status == 2);
        CHECK(empty.output.starts_with(flag + ": "));
      }
  }
}

TEST_CASE("an unrolled loop that is not enough is unknown") {
  const Tests tests;
  const std::string test = (tests.path / "loop.litmus").string();
  std::ofstream(test)
      << "PTX loop\n{ }\n P0@cta 0,gpu 0 ;\n L: atom.relaxed.cta.add r0, x, 1 ;\n bne r0, 9, L ;\n"
         "exists (P0:r0 == 9)\n";
  const Run few = run("litmus --bound 3 " + test);
  CHECK(few.status == 3);
  CHECK(contains(few.output, "loop bound 3"));
  CHECK(run("litmus --bound 10 " + test).status == 0);
}

TEST_CASE("the witness is drawn") {
  const Tests tests;
  const fs::path drawing = tests.path / "w.txt";
  CHECK(
      run("litmus --quiet --witness " + drawing.string() + " " + tests.add("a.litmus", "exists (P1:r0 == 1)"))
          .output == "");
  CHECK(fs::file_size(drawing) > 0);
}

TEST_CASE("models are listed and shown") {
  const Run list = run("model");
  CHECK(list.status == 0);
  CHECK(contains(list.output, "ptx-8.7"));
  CHECK(contains(list.output, "(default)"));
  const Run shown = run("model ptx-6.4");
  CHECK(shown.status == 0);
  CHECK(contains(shown.output, "acyclic"));
  CHECK(run("model no-such-model").status == 2);
}

TEST_CASE("check takes either engine or both, counts executions, and prints its table for pages") {
  const std::string kernels = PTXMC_SOURCE_DIR "/tests/kernels/";
  const Run explored = run("check --json --engine explorer " + kernels + "lock_ok.toml");
  CHECK(explored.status == 0);
  CHECK(contains(explored.output, "\"executions\":2"));  // two blocks take the lock, in either order
  const Run both =
      run("check --engine both " + kernels + "lock_ok.toml " + kernels + "lock_bug_relaxed.toml");
  CHECK(both.status == 0);
  CHECK(contains(both.output, "both"));
  const Run table = run("check --markdown " + kernels + "lock_ok.toml " + kernels + "edges_ok.toml");
  CHECK(table.status == 0);
  CHECK(contains(table.output, "| launch | verdict |"));
  CHECK(contains(table.output, "| lock_ok | safe |"));
}

TEST_CASE("a launch that takes more memory than it may is unknown" * doctest::skip(is_sanitized)) {
  const std::string kernels = PTXMC_SOURCE_DIR "/tests/kernels/";
  CHECK(run("check --memory 1000 " + kernels + "lock_ok.toml").status == 0);
  const Run small = run("check --memory 60 " + kernels + "steal_ok.toml");  // enough to read the files
  CHECK(small.status == 3);
  CHECK(contains(small.output, "unknown (memory limit)"));
}
