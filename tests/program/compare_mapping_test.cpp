// `ptxmc compare --mapping` as the shell sees it.
#include "run.hpp"
#include "test_folder.hpp"

namespace {

const std::string mappings = std::string(PTXMC_SOURCE_DIR) + "/docs/examples/mappings/";

}  // namespace

TEST_CASE("a relaxed load behind its fence breaks message passing") {
  const TestFolder folder;
  const std::string out = folder.add("note.txt", "") + ".pair";
  const Run found = run("compare --mapping " + mappings + "relaxed-load.mapping --out " + out);
  CHECK(found.status == 1);
  CHECK(contains(found.output, "relaxed-load.mapping: differs (the first after "));
  CHECK(contains(found.output, "Axiom coherence forbids it."));
  CHECK(run("compare " + out + "/counterexample.source.litmus " + out + "/counterexample.target.litmus")
            .status == 1);
  const Run json = run("compare --json --mapping " + mappings + "relaxed-load.mapping");
  CHECK(json.status == 1);
  CHECK(contains(json.output,
                 R"("verdict":"differs","reason":null,"threads":2,"operations":2,"locations":2,)"));
}

TEST_CASE("conventions that are right alone are wrong together") {
  const std::string before = "--mapping " + mappings + "acquire-load.mapping",
                    behind = "--mapping " + mappings + "fences-behind.mapping";
  for (const std::string& alone : {before, behind}) {
    const Run found = run("compare " + alone);
    CHECK(found.status == 0);
    CHECK(contains(found.output, ": no counterexample among "));
  }
  CHECK(run("compare " + before + " " + behind).status == 1);
}

TEST_CASE("a published mapping is found by its name, and a limit leaves the answer open") {
  CHECK(run("compare --mapping asplos-2019 --kinds load,store,fence").status == 0);
  const Run cut = run("compare --mapping asplos-2019 --threads 3 --operations 3 --timeout 0.5");
  CHECK(cut.status == 3);
  CHECK(contains(cut.output, "asplos-2019: unknown (timeout): no counterexample among the first "));
}

TEST_CASE("wrong mappings have one error") {
  const TestFolder folder;
  const std::string wrong = folder.add("m.mapping", "load strong S => ld.relaxed.S\n");
  const Run found = run("compare --mapping " + wrong);
  CHECK(found.status == 2);
  CHECK(contains(found.output, "m.mapping:1:6: error: found 'strong', expected an order of a load"));
  CHECK(run("compare --mapping asplos-2019 x.litmus").status == 2);
  CHECK(run("compare").status == 2);
}

TEST_CASE("tests of C++ are compared with what a mapping makes of them") {
  const std::string cpp = std::string(PTXMC_SOURCE_DIR) + "/litmus/cpp/";
  const std::string files = cpp + "MP-seq-cst.litmus " + cpp + "RS-rmw-seq-cst-then-store.litmus";
  const Run paper = run("compare --std c++17 --mapping asplos-2019 " + files);
  CHECK(paper.status == 0);
  CHECK(contains(paper.output, "2 of 2 targets refine their sources\n"));
  const Run libcu = run("compare --std c++17 --mapping libcu++ " + files);
  CHECK(libcu.status == 1);
  CHECK(contains(libcu.output, "RS-rmw-seq-cst-then-store.litmus: differs\n"));
  CHECK(contains(run("compare --mapping atomics-abi-relaxed-load --csv " + files).output, ",differs,"));
}

TEST_CASE("wrong input of --mapping with files") {
  const TestFolder folder;
  const std::string ptx =
      folder.add("t.litmus", "PTX t\n{ x = 0; }\n P0 ;\n ld.weak r0, x ;\nexists (true)\n");
  const Run not_cpp = run("compare --mapping libcu++ " + ptx);
  CHECK(not_cpp.status == 2);
  CHECK(contains(not_cpp.output, "found a test of PTX, expected one of scoped C++ (header `C name`)"));
  CHECK(contains(run("compare --mapping libcu++ " + folder.path.string()).output, "found no test of C++"));
  CHECK(contains(run("compare --mapping libcu++ --mapping llvm " + ptx).output,
                 "found several mappings with files"));
}
