// `ptxmc compare` as the shell sees it.
#include "run.hpp"
#include "test_folder.hpp"

namespace {

const std::string pairs = std::string(PTXMC_SOURCE_DIR) + "/docs/examples/pairs/";

std::string test_with(const std::string& order) {
  return "PTX MP\n{ x = 0; y = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | "
         "ld.acquire.gpu r0, y ;\n st." +
         order + ".gpu y, 1 | ld.relaxed.gpu r1, x ;\nexists (P1:r0 = 1 /\\ P1:r1 = 0)\n";
}

}  // namespace

TEST_CASE("a weaker target differs, a stronger one refines, with both engines") {
  const TestFolder folder;
  const std::string strong = folder.add("strong.litmus", test_with("release")),
                    weak = folder.add("weak.litmus", test_with("relaxed"));
  for (const char* engine : {"smt", "explorer", "both"}) {
    const std::string flags = "compare --engine " + std::string(engine) + " ";
    const Run differs = run(flags + strong + " " + weak);
    CHECK(differs.status == 1);
    CHECK(contains(differs.output, "only in the target: 1:r0=1; 1:r1=0; x=1; y=1;\n"));
    CHECK(contains(differs.output, "the source forbids it:\n"));
    const Run refines = run(flags + "--strict " + weak + " " + strong);
    CHECK(refines.status == 0);
    CHECK(
        contains(refines.output, "strong.litmus: refines\nonly in the source: 1:r0=1; 1:r1=0; x=1; y=1;\n"));
  }
}

TEST_CASE("a folder of pairs with each verdict") {
  const Run found = run("compare " + pairs);
  CHECK(found.status == 1);
  CHECK(contains(found.output, "mailbox.ok.target.litmus: refines\n"));
  CHECK(contains(found.output, "mailbox.narrow.target.litmus: differs\n"));
  CHECK(contains(found.output, "racy.any.target.litmus: refines (vacuous: the source has a race"));
  CHECK(contains(found.output, "wait.hoisted.target.litmus: differs (may wait for ever"));
  CHECK(run("compare --ignore-races " + pairs + "racy.source.litmus " + pairs + "racy.any.target.litmus")
            .status == 0);
}

TEST_CASE("a comparison as JSON") {
  const Run found =
      run("compare --json " + pairs + "mailbox.source.litmus " + pairs + "mailbox.narrow.target.litmus");
  CHECK(found.status == 1);
  CHECK(contains(found.output, R"("source_model":"cpp-scoped","target_model":"ptx-8.7","verdict":"differs",)"
                               R"("vacuous":false,"reason":null,)"
                               R"("extra":[{"1:r0":1,"1:r1":0,"data":42,"flag":1}],"missing":0,)"
                               R"("observed":["1:r0","1:r1","data","flag"],"axiom":)"));
}

TEST_CASE("a launch is compared by elements of its buffers") {
  const TestFolder folder;
  const std::string source =
      folder.add("source.litmus", "PTX one\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n st.weak x, 5 ;\nexists (x=5)\n");
  const auto launch = [&](const std::string& value) {
    folder.add("k.ptx",
               ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
               "  .reg .b64 %a;\n  ld.param.u64 %a, [p];\n  st.global.u32 [%a], " +
                   value + ";\n  ret;\n}\n");
    return folder.add("k.toml",
                      "module = \"k.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = [1]\n[[param]]\nname = "
                      "\"out\"\nbuffer = \"s32[1]\"\ninit = [0]\n");
  };
  CHECK(run("compare --observe 'x=out[0]' " + source + " " + launch("5")).status == 0);
  const Run differs = run("compare --observe 'x=out[0]' " + source + " " + launch("6"));
  CHECK(differs.status == 1);
  CHECK(contains(differs.output, "only in the target: x=6;\n"));
  CHECK(contains(run("compare " + source + " " + launch("5")).output,
                 "found a launch without `observe`, expected it or --observe"));
}

TEST_CASE("a launch file names the elements that are compared") {
  const TestFolder folder;
  folder.add("a.source.litmus",
             "PTX one\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n mov.s64 r0, 3 ;\n st.weak x, 5 ;\nexists (x=5)\n");
  folder.add(
      "k.ptx",
      ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      "  .reg .b64 %a;\n  ld.param.u64 %a, [p];\n  st.global.u32 [%a], 5;\n  st.global.u32 [%a+4], 3;\n"
      "  ret;\n}\n");
  const auto launch = [&](const std::string& names) {
    return folder.add("a.k.toml", "module = \"k.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = [1]\nobserve = \"" +
                                      names +
                                      "\"\n[[param]]\nname = \"out\"\nbuffer = \"s32[2]\"\ninit = 0\n");
  };
  const std::string pair = "compare " + (folder.path / "a.source.litmus").string() + " ";
  CHECK(run(pair + launch("x=out[0];0:r0=out[1]")).status == 0);
  CHECK(run("compare " + folder.path.string()).output.find("a.k.toml: refines") != std::string::npos);
  const Run differs = run(pair + launch("x=out[1]"));
  CHECK(differs.status == 1);
  CHECK(contains(differs.output, "only in the target: x=3;\n"));
  for (const auto& wrong : std::initializer_list<std::pair<std::string, std::string>>{
           {"x=out[0];0:r7=out[1]", "a.k.toml:5:21: error: found `0:r7`, expected a register"},
           {"x=out[0];0:r0=out[2]", "a.k.toml:5:21: error: found `out[2]`, but `out` has 2 elements"},
           {"x=out[0];=out[2]", "a.k.toml:5:21: error: found '=out[2]'"}}) {
    const Run found = run(pair + launch(wrong.first));
    CAPTURE(found.output);
    CHECK(found.status == 2);
    CHECK(contains(found.output, wrong.second));
  }
}

TEST_CASE("comparisons as comma-separated values and as SARIF") {
  const TestFolder folder;
  const std::string log = (folder.path / "log.sarif").string();
  const Run found = run("compare --csv --sarif " + log + " " + pairs);
  CHECK(found.status == 1);
  CHECK(found.output.starts_with(
      "source,target,source_model,target_model,verdict,vacuous,reason,extra,missing,axiom,time_s\n"));
  CHECK(contains(found.output, "mailbox.ok.target.litmus,cpp-scoped,ptx-8.7,refines,,,,"));
  CHECK(contains(found.output, ",differs,,,1:r0=1; 1:r1=0; data=42; flag=1;,0,coherence,"));
  CHECK(contains(found.output, "refines,yes,\"the source has a race: "));
  const std::string text = shell("cat " + log).output;
  CHECK(contains(text, "\"ptxmc/not-a-refinement\""));
  CHECK(contains(text, "The outcome `1:r0=1; 1:r1=0; data=42; flag=1;` is forbidden by"));
  CHECK(contains(text, "\"codeFlows\""));
  CHECK(contains(text, "\"relatedLocations\""));
  CHECK(contains(text, "may wait for ever"));
  CHECK_FALSE(contains(text, "mailbox.ok"));
}

TEST_CASE("wrong input of a comparison has one error, and the status 2") {
  const std::string both = pairs + "mailbox.source.litmus " + pairs + "mailbox.ok.target.litmus";
  for (const auto& wrong_input : std::initializer_list<std::pair<std::string, std::string>>{
           {"--observe 'x;1:r9' " + both,
            "--observe:1:1: error: found `x`, expected a register or a location of "},
           {"--observe 'x;=y' " + both, "--observe:1:3: error: found '=y', expected a name of the source"},
           {pairs + "mailbox.source.litmus", "error: found no folder, expected a source and a target"},
           {both + " " + pairs, "error: found a third path"},
           {"--source-model ptx-8.7 " + both, "expected a model of C++ such as cpp-scoped"}}) {
    CAPTURE(wrong_input.first);
    const Run wrong = run("compare " + wrong_input.first);
    CHECK(wrong.status == 2);
    CHECK(contains(wrong.output, wrong_input.second));
  }
}

TEST_CASE("a note says that a target refines by C++20 alone") {
  const std::string sequence = std::string(PTXMC_SOURCE_DIR) + "/litmus/cpp/RS-rmw-seq-cst-then-store.litmus";
  const std::string note = "note: by the release sequences of C++17 (--std c++17) it differs: ";
  CHECK(contains(run("compare --mapping libcu++ " + sequence).output, note));
  CHECK_FALSE(contains(run("compare --mapping asplos-2019 " + sequence).output, note));
  CHECK_FALSE(contains(run("compare --std c++17 --mapping libcu++ " + sequence).output, note));
}

TEST_CASE("volatile accesses as plain ones race") {
  const std::string test = std::string(PTXMC_SOURCE_DIR) + "/litmus/cpp/MP-volatile-threadfence.litmus";
  CHECK(contains(run("litmus --property race " + test).output, "no race"));
  CHECK(contains(run("litmus --property race --volatile plain " + test).output, "data race"));
  CHECK(run("compare --mapping asplos-2019 " + test).output.ends_with(": refines\n"));
  CHECK(contains(run("compare --volatile plain --mapping asplos-2019 " + test).output, "refines (vacuous: "));
}

TEST_CASE("a smaller pair that still differs") {
  const TestFolder folder;
  const std::string given =
      pairs + "published.source.litmus " + pairs + "published.relaxed-load.target.litmus";
  const Run found = run("compare --reduce --out " + (folder.path / "out").string() + " " + given);
  CHECK(found.status == 1);
  // The store and the load of the flag need a release and an acquire, and the fence of the load is wasted.
  CHECK(contains(found.output, "atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);"));
  CHECK(contains(found.output, "atomic_load_explicit(flag, memory_order_acquire, memory_scope_device);"));
  CHECK(contains(found.output, " fence.release.gpu      | ld.relaxed.gpu r0, flag ;"));
  const Run again = run("compare " + (folder.path / "out").string());
  CHECK(again.status == 1);
  CHECK(contains(again.output, "published.relaxed-load.reduced.target.litmus: differs\n"));
  CHECK(contains(run("compare --reduce --json " + given).output, R"("reduced":{"source":"C published)"));
}

TEST_CASE("only pairs of litmus tests that differ are reduced") {
  const Run refines =
      run("compare --reduce " + pairs + "mailbox.source.litmus " + pairs + "mailbox.ok.target.litmus");
  CHECK(refines.status == 0);
  CHECK_FALSE(contains(refines.output, "smaller"));
  const Run folder = run("compare --reduce " + pairs);
  CHECK(folder.status == 2);
  CHECK(contains(folder.output, "found 7 pairs, expected one, or --out for the smaller ones"));
}
