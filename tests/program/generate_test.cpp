// `ptxmc generate` and `ptxmc distinguish` as the shell sees them.
#include <fstream>

#include "run.hpp"
#include "test_folder.hpp"

namespace {

const std::string generate_message_passing =
    "generate --cycle 'PodWW release.gpu Rfe acquire.gpu PodRR Fre' ";

}  // namespace

TEST_CASE("generated tests have the verdicts that they expect") {
  const TestFolder folder;
  const std::string tests = (folder.path / "tests").string();
  const Run written =
      run("generate --edges 'Pod**, PosRR, Rfe, Fre, Coe' --scopes cta,gpu --expect --out " + tests);
  CHECK(written.status == 0);
  CHECK(contains(written.output, " tests in "));
  CHECK(run("litmus --engine both " + tests).status == 0);
}

TEST_CASE("a cycle is printed with its verdicts, or as a line of JSON") {
  const Run text = run(generate_message_passing + "--expect --model ptx-6.4");
  CHECK(text.status == 0);
  CHECK(contains(text.output, "expect ptx-6.4 forbidden"));
  CHECK(contains(run(generate_message_passing + "--json").output,
                 R"("cycle":"PodWW release.gpu Rfe acquire.gpu PodRR Fre","threads":2,"placement":"gpu")"));
}

TEST_CASE("wrong cycles and flags are refused with what was expected") {
  const Run edge = run("generate --cycle 'PodXX Fre'");
  CHECK(edge.status == 2);
  CHECK(contains(edge.output, "found 'PodXX', expected an edge"));
  CHECK(run("generate --cycle 'PodWW Coe Coe PodWW Coe'").status == 2);
  CHECK(run("generate --scopes warp").status == 2);
  CHECK(run("generate --accesses 'weak,,weak'").status == 2);
  CHECK(contains(run("generate --cycle 'fence.foo.dWR Fre fence.sc.gpu.dWR Fre'").output, "found `.foo`"));
}

TEST_CASE("the smallest test on which two models differ") {
  const std::string flags = " --edges 'PodRW, DpDatadW, Rfe' --accesses weak";
  const Run differ = run("distinguish sc ptx-8.7" + flags);
  CHECK(differ.status == 1);
  CHECK(contains(differ.output, "PTX LB\n"));
  CHECK(contains(differ.output, "sc: forbidden\nptx-8.7: allowed\n"));
  CHECK(run("distinguish ptx-7.5 ptx-8.7 --size 4 --threads 2" + flags).status == 0);
}

TEST_CASE("the smallest test for each line of a model that is taken out") {
  const TestFolder folder;
  const std::string model = (folder.path / "lines.cat").string();
  std::ofstream(model) << "let com =\n    rf\n  | co\n  | fr\nacyclic (po & loc) | com as sc_per_location\n"
                          "acyclic po | rf as causality\nlet unused = po; po\n";
  const std::string flags =
      "distinguish --without-each-line " + model +
      " --edges 'Pod**, Pos**, Rfe, Fre, Coe, Coi' --accesses weak --size 4 --threads 2 ";
  const std::string tests = (folder.path / "tests").string();
  const Run text = run(flags + "--out " + tests);
  CHECK(text.status == 1);
  CHECK(contains(text.output, "lines.cat:5: without axiom `sc_per_location`: "));
  CHECK(contains(text.output,
                 "lines: forbidden\nwithout the line: allowed\nan execution of without the line:"));
  CHECK(contains(text.output, "lines forbids it:\n"));
  CHECK(contains(text.output, "lines: 7 lines, "));
  CHECK(contains(text.output, "1 of which only flags depend"));
  CHECK(contains(shell("cat " + tests + "/6-LB.litmus").output, "PTX LB\n"));
  const Run json = run(flags + "--json");
  CHECK(
      contains(json.output, R"("line":6,"change":"without axiom `causality`","verdict":"differs","tests":)"));
  CHECK(contains(json.output, R"("line":7,"change":"`unused` is empty","verdict":"flags")"));
  CHECK(contains(run(flags + "--markdown").output,
                 "| 6 | without axiom `causality` | `LB` | 2 | 4 | forbidden |"));
}

TEST_CASE("given tests in place of generated ones tell models apart") {
  const Run differ = run("distinguish sc ptx-8.7 --tests " PTXMC_SOURCE_DIR "/litmus/store-buffering");
  CHECK(differ.status == 1);
  CHECK(contains(differ.output, "PTX 2+2W-release"));
  CHECK(run("distinguish ptx-7.5 ptx-8.7 --tests " PTXMC_SOURCE_DIR "/litmus/store-buffering").status == 0);
  CHECK(run("distinguish sc --tests " PTXMC_SOURCE_DIR "/litmus/store-buffering").status == 2);
  CHECK(run("distinguish sc ptx-8.7 --without-each-line").status == 2);
  CHECK(run("distinguish sc ptx-8.7 --markdown").status == 2);
}

// The kinds of docs/model-differences.md: what 8.7 has, and the other model has no answer to.
TEST_CASE("where an older model has no answer, newer models are told apart from it") {
  struct Kind {
    std::string flags;
    bool is_in_7_5;
  };
  const Kind kinds[] = {
      {"--edges 'PodWW, PodRR, Rfe, Fre' --accesses 'weak, acquire.cluster' --scopes cluster", false},
      {"--edges 'fence.release.gpu.dWW, fence.acquire.gpu.dRR, Rfe, Fre' --accesses relaxed.gpu", false},
      {"--edges 'PosRR, Fre, Rfe' --accesses 'weak, alias'", true},
      {"--edges 'PodWW, PodRR, Rfe, Fre' --accesses 'weak, constant'", true},
      {"--edges 'PodWW, PodRR, Rfe, Fre' --accesses 'weak, surface'", true},
      {"--edges 'fence.proxy.async.dWW, PodRR, Rfe, Fre' --accesses weak", false},
      {"--edges 'PosRR, Rfe, Fre' --accesses 'weak, mmio.relaxed.sys'", false}};
  for (const Kind& kind : kinds) {
    CAPTURE(kind.flags);
    const std::string of_tests = kind.flags + " --size 6 --threads 2 ";
    const Run older = run("distinguish ptx-6.4 ptx-8.7 --undecided " + of_tests);
    CHECK(older.status == 1);
    CHECK(contains(older.output, "ptx-6.4 has no answer: "));
    CHECK(run("distinguish ptx-6.4 ptx-8.7 " + of_tests).status == 0);
    const Run newer = run("distinguish ptx-7.5 ptx-8.7 --undecided " + of_tests);
    CHECK(newer.status == (kind.is_in_7_5 ? 0 : 1));
  }
}
