// `ptxmc fences` as the shell sees it.
#include <sstream>
#include <vector>

#include "run.hpp"
#include "test_folder.hpp"

namespace {

const std::string strong =
    "PTX MP\n{ x = 0; y = 0; }\n P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;\n"
    " st.relaxed.gpu x, 1 | ld.acquire.gpu r0, y ;\n fence.sc.gpu        |                      ;\n"
    " st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;\n~exists (P1:r0 = 1 /\\ P1:r1 = 0)\n";

const std::string broken =
    "PTX MP\n{ x = 0; y = 0; }\n P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;\n"
    " st.relaxed.gpu x, 1 | ld.acquire.gpu r0, y ;\n st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;\n"
    "~exists (P1:r0 = 1 /\\ P1:r1 = 0)\n";

}  // namespace

TEST_CASE("wasted strength is shown, and --fix takes it away") {
  const TestFolder folder;
  const std::string file = folder.add("mp.litmus", strong);
  const Run shown = run("fences " + file);
  CHECK(shown.status == 0);
  CHECK(contains(shown.output,
                 "mp.litmus:5:2: wasted: fence.sc.gpu: fence.release.gpu is enough [-24]; with "));
  CHECK(contains(shown.output, "\n- fence.sc.gpu        |                      ;\n"));
  CHECK(run("fences --quiet --fix " + file).output.empty());
  const Run again = run("fences " + file);
  CHECK(again.status == 0);
  CHECK(contains(again.output, "nothing is wasted for this placement"));
  CHECK(run("fences --fix " + file).output == again.output);
  CHECK(run("litmus --race " + file).status == 0);
}

TEST_CASE("missing strength: repairs, the exit status, and a file that holds after --fix") {
  const TestFolder folder;
  const std::string file = folder.add("mp.litmus", broken);
  const Run shown = run("fences --fix --repairs 1 " + file);
  CHECK(shown.status == 1);
  CHECK(contains(shown.output, "mp.litmus: loses condition+race: 1:r0=1; 1:r1=0;\nrepair 1 [+3]:\n"));
  CHECK(contains(shown.output, "missing: st.relaxed.gpu y, 1 -> st.release.gpu y, 1\n"));
  CHECK_FALSE(contains(shown.output, "repair 2"));
  CHECK(contains(shown.output, "2 minimal repairs for this placement\n"));
  CHECK(run("fences " + file).status == 0);
}

TEST_CASE("the patch of the output applies") {
  const TestFolder folder;
  const std::string file = folder.add("mp.litmus", broken);
  const Run applied = shell("cd " + folder.path.string() +
                            " && \"$PTXMC\" fences mp.litmus | patch -p0 > /dev/null && cat mp.litmus");
  if (shell("command -v patch").status == 0) CHECK(contains(applied.output, "st.release.gpu y, 1"));
}

TEST_CASE("JSON has the keys that the page names") {
  const TestFolder folder;
  const Run json = run("fences --json " + folder.add("mp.litmus", broken));
  CHECK(contains(json.output, R"("model":"ptx-8.7","holds":false,"property":"condition+race","points":[)"));
  CHECK(contains(json.output,
                 R"({"thread":"P0","line":5,"column":2,"change":"replace by","by":"st.release.gpu y, 1"})"));
  CHECK(contains(json.output, R"("cheapest":0,"cost":[3,8],"complete":true,"runs":)"));
}

TEST_CASE("costs, and wrong input") {
  const TestFolder folder;
  const std::string file = folder.add("mp.litmus", broken);
  const std::string costs = folder.add("costs.toml", "release = 30\nacq_rel = 30\nsc = 30\nfence = 0\n");
  CHECK(contains(run("fences --json --cost " + costs + " " + file).output, R"("cost":[87,90])"));
  const Run wrong = run("fences --cost " + folder.add("bad.toml", "fences = 3\n") + " " + file);
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.output, "bad.toml:1:1: error: found 'fences', expected weak, relaxed,"));
  CHECK(run("fences " + (folder.path / "missing.litmus").string()).status == 2);
  CHECK(run("fences --model sc --model ptx-8.7 " + file).status == 2);
  CHECK(run("fences " + folder.add("wrong.litmus", "PTX")).status == 2);
}

TEST_CASE("launches: lines of the module, and a patch for it") {
  const std::string kernels = PTXMC_SOURCE_DIR "/tests/kernels/";
  const Run lock = run("fences " + kernels + "lock_bug_relaxed.toml");
  CHECK(lock.status == 1);
  CHECK(contains(lock.output, "lock_bug_relaxed.toml: loses safe: assertion failed: `counter[0] == 2`"));
  CHECK(contains(lock.output,
                 "lock_bug_relaxed.ptx:58:2: missing: st.relaxed.gpu.b32 [%rd2],%r3 -> st.release.gpu.b32"));
  CHECK(contains(lock.output, "\n-\tst.relaxed.gpu.b32 [%rd2],%r3;\n+\tst.release.gpu.b32 [%rd2],%r3;\n"));
  const TestFolder folder;
  shell("cp " + kernels + "lock_bug_relaxed.* " + folder.path.string());
  const std::string launch = (folder.path / "lock_bug_relaxed.toml").string();
  CHECK(run("fences --quiet --fix " + launch).status == 1);
  CHECK(run("fences " + launch).status == 0);
  CHECK(contains(run("check " + launch).output, ": safe"));
  CHECK(run("fences " + (folder.path / "missing.toml").string()).status == 2);
  for (const std::string flag : {"--same-outcomes", "--races forbid"}) {
    const Run refused = run("fences " + flag + " " + launch);
    CHECK(refused.status == 2);
    CHECK(contains(refused.output, "found a launch, expected a litmus test"));
  }
}

TEST_CASE("a SARIF log with fixes") {
  const TestFolder folder;
  const std::string log = (folder.path / "log.sarif").string();
  CHECK(run("fences -q --sarif " + log + " " + folder.add("mp.litmus", strong)).status == 0);
  const std::string text = shell("cat " + log).output;
  CHECK(contains(text, "\"ruleId\": \"ptxmc/order-too-strong\""));
  CHECK(contains(text, "\"deletedRegion\""));
}

TEST_CASE("a test of C++ is repaired by what the program writes into its text") {
  const TestFolder folder;
  const std::string file = folder.add("mp.litmus",
                                      "C mp\n{ x = 0; f = 0; }\n"
                                      "P0 (int* x, atomic_int* f) {\n  *x = 1;\n"
                                      "  atomic_store_explicit(f, 1, memory_order_relaxed);\n}\n"
                                      "P1 (int* x, atomic_int* f) {\n  int r0 = atomic_load(f);\n"
                                      "  int r1 = 1;\n  if (r0 == 1) {\n    r1 = *x;\n  }\n}\n"
                                      "~exists (1:r0=1 /\\ 1:r1=0)\n");
  const Run shown = run("fences --fix " + file);
  CHECK(shown.status == 1);
  CHECK(contains(shown.output,
                 "missing: atomic_store_explicit(f, 1, memory_order_relaxed) -> "
                 "atomic_store_explicit(f, 1, memory_order_release)"));
  CHECK(contains(text_in(file), "memory_order_release"));
  const Run again = run("fences --fix " + file);
  CHECK(again.status == 0);
  CHECK(contains(again.output, "wasted: atomic_load(f): acquire.system is enough"));
  CHECK(contains(text_in(file), "atomic_load_explicit(f, memory_order_acquire)"));
  CHECK(contains(run("fences " + file).output, "nothing is wasted"));
  CHECK(contains(run("fences --json " + file).output, R"("model":"cpp-scoped")"));
  CHECK(contains(run("fences --model ptx-8.7 " + file).output, "a test of C++ under a model of PTX"));
}

TEST_CASE("every assignment of tests with other shapes is as the search says, with both engines") {
  const std::string folder = std::string(PTXMC_SOURCE_DIR) + "/tests/fences";
  std::vector<std::string> minimal;
  for (const char* engine : {"explorer", "smt"}) {
    const Run json = run("fences --json --timeout 600 --try said --engine " + std::string(engine) + " " + folder);
    CHECK(json.status == 1);
    std::istringstream lines(json.output);
    std::string all;
    for (std::string line; std::getline(lines, line);) {
      CHECK(contains(line, "\"complete\":true"));
      CHECK(contains(line, "\"undecided\":0,\"wrong\":0}"));
      all += line.substr(0, line.find(",\"runs\"")) + "\n";
    }
    minimal.push_back(all);
  }
  CHECK(minimal[0] == minimal[1]);
}

TEST_CASE("programs are tried besides those of the search") {
  const TestFolder folder;
  const Run said = run("fences --try said " + folder.add("mp.litmus", strong));
  CHECK(said.status == 0);
  CHECK(contains(said.output, "mp.litmus: tried: "));
  CHECK(contains(said.output, " lose it, as said\n"));
  const Run all = run("fences --try all --json " + folder.add("mp.litmus", strong));
  CHECK(all.status == 0);
  CHECK(contains(all.output, "\"undecided\":0,\"wrong\":0}"));
  const Run table = run("fences --try all --markdown " + folder.add("mp.litmus", strong));
  CHECK(contains(table.output, "\nall: tried: "));
}
